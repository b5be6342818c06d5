import type { EnumeratedScenario, SampledScenario, ScenarioReport } from '../../types/scenario-report.ts';
import { flakyText } from '../flaky-text.ts';
import { foldFolders } from '../fold-folders.ts';
import { formatInterval, formatMean, formatRate, formatShort, plural } from '../format-number.ts';
import { plainText } from '../plain-text.ts';
import { PASSED, scenarioMark } from '../scenario-mark.ts';
import { isTrouble, outcomeOf } from '../scenario-outcome.ts';
import type { ResultTable, TableRow } from './section.ts';

const LONGEST_NAME = 120;

/** A row for each scenario. Where there are many, those of which all trials passed are counted by folder. */
export function scenarioTable(scenarios: readonly ScenarioReport[], verbose: boolean): ResultTable {
  const { shown, folded } = foldFolders(scenarios, verbose);
  return {
    corner: 'scenario',
    columns: [
      { header: 'passed', givesWay: 1 },
      { header: 'rate', givesWay: 0 },
      { header: '95 % interval', givesWay: 3 },
      { header: 'pass^n', givesWay: 2 },
      { header: 'calls', givesWay: 5 },
      { header: 'tokens', givesWay: 4 },
    ],
    rows: shown.map(scenarioRow),
    folded: folded.map(({ folder, scenarios: count, trials }) => ({
      mark: PASSED,
      name: plainText(folder, LONGEST_NAME),
      members: plural(count, 'scenario'),
      trials,
    })),
  };
}

function scenarioRow(scenario: ScenarioReport): TableRow {
  const head = {
    mark: scenarioMark(scenario),
    isTrouble: isTrouble({ outcome: outcomeOf(scenario) }),
    name: plainText(scenario.name, LONGEST_NAME),
  };
  switch (scenario.verdict) {
    case 'load_error':
      return unmeasured(head, `did not load: ${plural(scenario.loadErrors.length, 'problem')}`);
    case 'not_run':
      return unmeasured(head, 'did not run');
    default: {
      const cells = scenario.sampler === 'exhaustive' ? exactCells(scenario) : sampledCells(scenario);
      if (cells === null) return unmeasured(head, 'could not be enumerated');
      return { ...head, cells, why: '', note: flakyText(scenario) ?? '' };
    }
  }
}

function unmeasured(head: Pick<TableRow, 'mark' | 'isTrouble' | 'name'>, why: string): TableRow {
  return { ...head, cells: null, why, note: '' };
}

/** Null: its answers could not be enumerated. */
function exactCells({ exact }: EnumeratedScenario): readonly string[] | null {
  if (exact === null) return null;
  const { llmCalls, llmTokens } = exact.counters;
  return ['exact', formatRate(exact.passRate), '-', '-', meanCell(llmCalls), meanCell(llmTokens)];
}

/** Passed, rate, interval, pass^n, calls and tokens. pass^n is 1 or 0, whatever bar the scenario has. */
function sampledCells({ trials, passRate, passRateInterval, strictPassK, cost }: SampledScenario): readonly string[] {
  return [
    `${trials.passed}/${trials.passed + trials.failed + trials.broken}`,
    formatRate(passRate),
    formatInterval(passRateInterval),
    String(strictPassK),
    meanCell(cost.mean.llmCalls),
    meanCell(cost.mean.llmTokens),
  ];
}

/** `-` for null: recorded trials do not say it. */
function meanCell(mean: number | null): string {
  if (mean === null) return '-';
  return mean < 100_000 ? formatMean(mean) : formatShort(mean);
}
