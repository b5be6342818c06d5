import type { ScenarioReport } from '../../types/report.ts';
import { flakyText } from '../flaky-text.ts';
import { foldFolders } from '../fold-folders.ts';
import { formatInterval, formatMean, formatRate, formatShort, plural } from '../format-number.ts';
import { plainText } from '../plain-text.ts';
import { PASSED, scenarioMark } from '../scenario-mark.ts';
import { isTrouble, outcomeOf } from '../scenario-outcome.ts';
import type { ResultTable, TableRow } from './section.ts';

const LONGEST_NAME = 120;

/** A row for each scenario; of many, those that passed without a failing trial are counted by folder. */
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
  const why = whyUnmeasured(scenario);
  return {
    mark: scenarioMark(scenario),
    isTrouble: isTrouble({ outcome: outcomeOf(scenario) }),
    name: plainText(scenario.name, LONGEST_NAME),
    cells: why === null ? scenarioCells(scenario) : null,
    why: why ?? '',
    note: why === null ? (flakyText(scenario) ?? '') : '',
  };
}

/** Why there are no numbers; null: there are. */
function whyUnmeasured(scenario: ScenarioReport): string | null {
  const { loadErrors, sampler, exact } = scenario;
  switch (outcomeOf(scenario)) {
    case 'load_error':
      return `did not load: ${plural(loadErrors.length, 'problem')}`;
    case 'skipped':
      return 'did not run';
    default:
      return sampler === 'exhaustive' && exact === undefined ? 'could not be enumerated' : null;
  }
}

/** Passed, rate, interval, pass^n, calls and tokens. pass^n is plainly 1 or 0, whatever bar the scenario has. */
function scenarioCells(scenario: ScenarioReport): readonly string[] {
  const { trials, passRate, passRateInterval, strictPassK, cost, exact } = scenario;
  if (exact !== undefined) {
    const { llmCalls, llmTokens } = exact.counters;
    return ['exact', formatRate(exact.passRate), '-', '-', meanCell(llmCalls), meanCell(llmTokens)];
  }
  return [
    `${trials.passed}/${trials.passed + trials.failed + trials.broken}`,
    passRate === null ? '-' : formatRate(passRate),
    passRateInterval === null ? '-' : formatInterval(passRateInterval),
    strictPassK === null ? '-' : String(strictPassK),
    cost.mean === null ? '-' : meanCell(cost.mean.llmCalls),
    cost.mean === null ? '-' : meanCell(cost.mean.llmTokens),
  ];
}

function meanCell(mean: number): string {
  return mean < 100_000 ? formatMean(mean) : formatShort(mean);
}
