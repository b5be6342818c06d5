import {
  type EnumeratedScenario,
  isJudged,
  ratedTrials,
  type SampledScenario,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import { flakyText } from '../words/flaky-text.ts';
import { foldFolders } from '../text/fold-folders.ts';
import { formatCount, formatMean, formatShort, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainName, plainText } from '../plain-text.ts';
import { PASSED, scenarioMark } from '../words/scenario-mark.ts';
import { inARow, RUNS_IN_A_ROW } from './runs-in-a-row.ts';
import { isTrouble, outcomeOf } from '../words/scenario-outcome.ts';
import type { ResultTable, TableRow } from './section.ts';

const LONGEST_NAME = 120;

/** A row for each scenario. Where there are many, those that passed are counted by folder. */
export function scenarioTable(scenarios: readonly ScenarioReport[], verbose: boolean): ResultTable {
  const { shown, folded } = foldFolders(scenarios, verbose);
  const showsInARow = shown.some((scenario) => inARowOf(scenario) !== null);
  return {
    corner: 'scenario',
    columns: [
      { header: 'passed', givesWay: 1 },
      { header: 'rate', givesWay: 0 },
      { header: '95 % interval', givesWay: 3 },
      ...(showsInARow ? [{ header: `pass^${RUNS_IN_A_ROW}`, givesWay: 2 }] : []),
      { header: 'calls', givesWay: 5 },
      { header: 'tokens', givesWay: 4 },
    ],
    rows: shown.map((scenario) => scenarioRow(scenario, showsInARow)),
    folded: folded.map(({ folder, scenarios: count, trials, tolerated }) => ({
      mark: PASSED,
      name: plainText(folder, LONGEST_NAME),
      members: plural(count, 'scenario'),
      trials,
      note: tolerated === 0 ? '' : `tolerated: ${formatCount(tolerated)} failed`,
    })),
  };
}

function scenarioRow(scenario: ScenarioReport, showsInARow: boolean): TableRow {
  const head = {
    mark: scenarioMark(scenario),
    isTrouble: isTrouble({ outcome: outcomeOf(scenario) }),
    name: plainName(scenario.name, LONGEST_NAME),
  };
  switch (scenario.verdict) {
    case 'load_error':
      return unmeasured(head, `did not load: ${plural(scenario.loadErrors.length, 'problem')}`);
    case 'not_run':
      return unmeasured(head, 'did not run');
    default: {
      const cells = scenario.sampler === 'exhaustive' ? exactCells(scenario) : sampledCells(scenario);
      if (cells === null) return unmeasured(head, 'could not be enumerated');
      const { measured, spent } = cells;
      const value = inARowOf(scenario);
      const row = showsInARow ? [value === null ? '-' : formatRate(value)] : [];
      return { ...head, cells: [...measured, ...row, ...spent], why: '', note: flakyText(scenario) ?? '' };
    }
  }
}

function unmeasured(head: Pick<TableRow, 'mark' | 'isTrouble' | 'name'>, why: string): TableRow {
  return { ...head, cells: null, why, note: '' };
}

function inARowOf(scenario: ScenarioReport): number | null {
  if (!isJudged(scenario)) return null;
  return inARow(scenario.sampler === 'exhaustive' ? (scenario.exact?.passHatK ?? []) : scenario.passHatK);
}

interface Cells {
  /** Passed, rate, interval. */
  readonly measured: readonly string[];
  /** Calls and tokens. */
  readonly spent: readonly string[];
}

/** Null: its answers could not be enumerated. */
function exactCells({ exact }: EnumeratedScenario): Cells | null {
  if (exact === null) return null;
  const { llmCalls, llmTokens } = exact.counters;
  return { measured: ['exact', formatRate(exact.passRate), '-'], spent: [meanCell(llmCalls), meanCell(llmTokens)] };
}

function sampledCells(scenario: SampledScenario): Cells {
  const { trials, passRate, passRateInterval, cost } = scenario;
  return {
    measured: [
      `${formatCount(trials.passed)}/${formatCount(ratedTrials(scenario).ran)}`,
      formatRate(passRate),
      formatInterval(passRateInterval),
    ],
    spent: [meanCell(cost.mean.llmCalls), meanCell(cost.mean.llmTokens)],
  };
}

/** `-` for null: recorded trials do not say it. */
function meanCell(mean: number | null): string {
  if (mean === null) return '-';
  return mean < 100_000 ? formatMean(mean) : formatShort(mean);
}
