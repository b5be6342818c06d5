import { rateTexts } from '../text/format-rate.ts';
import { type DirectedTest, directedBenjaminiHochberg } from '../stats/benjamini-hochberg.ts';
import { trialsText } from '../text/trials-text.ts';
import { percent } from '../text/percent.ts';
import type {
  DriftLevels,
  DriftName,
  DriftReport,
  DriftRule,
  OverallDrift,
  ScenarioDrift,
  TokenDrift,
} from '../types/reports/drift.ts';
import { type Compared, compareScenario } from './compare-scenario.ts';
import type { ComparedRun, ComparedScenario } from './compared-run.ts';
import { overallDrift } from './overall-drift.ts';
import { pairScenarios } from './pair-scenarios.ts';
import { tokenDrift } from './token-drift.ts';

export interface CompareRunsOptions {
  /** Default `evidence`. */
  readonly rule?: DriftRule;
  /** Highest chance to fail a run in which nothing has changed, over all comparisons; default 0.05. */
  readonly alpha?: number;
  /** How many comparisons with this baseline share `alpha`; default 1. */
  readonly comparisons?: number;
  /** Relative rise of tokens per trial that is tolerated; default 0.1. */
  readonly tokenTolerance?: number;
  /** Fall of the suite's mean pass rate that is tolerated; null or absent: any that is more than chance counts. */
  readonly margin?: number | null;
}

/** How far a run has drifted from its baseline, scenario by scenario and as a whole, and whether it got worse. */
export function compareRuns(before: ComparedRun, after: ComparedRun, options: CompareRunsOptions = {}): DriftReport {
  const { rule = 'evidence', alpha = 0.05, comparisons = 1, tokenTolerance = 0.1, margin = null } = options;
  const levels = levelsOf(alpha / comparisons);
  const { both, added, vanished } = pairScenarios(before, after);
  const compared = both.map((pair) =>
    compareScenario(pair.before, pair.after, { level: levels.scenarios, tokenTolerance }),
  );
  const rates = corrected(compared.map(({ drift: { p, difference } }) => testOf(p, difference)));
  const tokens = corrected(compared.map((one) => testOf(one.tokens.p, one.tokens.change)));
  const scenarios = compared.map((one, i): ScenarioDrift => {
    const q = rates[i] ?? null;
    const { name, file, ...rest } = one.drift;
    const status = rule === 'strict' ? strictStatus(one.drift) : evidenceStatus(one.drift, q, levels.scenarios);
    const failedFirst = status === 'regressed' ? both[i]?.after.failedFirst : undefined;
    return {
      name,
      file,
      status,
      ...rest,
      ...(failedFirst !== undefined && { failedFirst }),
      q,
      tokens: tokenDrift(one.tokens, tokens[i] ?? null, levels.scenarioTokens),
    };
  });
  const overall = overallDrift({ both, compared, scenarios, levels, margin, tokenTolerance });
  // Where any drop counts, the scenarios say all there is; a margin is asked for.
  const judgesSuite = rule === 'evidence' || margin !== null;
  const reasons = [
    ...(judgesSuite ? suiteReasons(overall, margin) : []),
    ...(scenarios.length > 1 ? tokenReasons('The suite', overall.tokens, tokenTolerance) : []),
    ...scenarios.flatMap((scenario) => reasonsOf(scenario, tokenTolerance)),
  ];
  const openSuite = judgesSuite && margin !== null && overall.status === 'undecided';
  const isOpen = scenarios.length === 0 || openSuite || scenarios.some(({ status }) => status === 'undecided');
  return {
    verdict: reasons.length > 0 ? 'fail' : isOpen ? 'insufficient' : 'pass',
    rule,
    alpha,
    comparisons,
    levels,
    tokenTolerance,
    margin,
    baseline: { kind: before.kind, passk: before.passk, seed: before.seed },
    notes: notesOf(before, after, scenarios),
    reasons:
      reasons.length > 0 ? reasons : [...(openSuite ? [openMargin(overall, margin)] : []), ...openReasons(scenarios)],
    scenarios,
    added: added.map(nameOf),
    vanished: vanished.map(nameOf),
    overall,
  };
}

/** Half of each two-sided level is for getting worse: 1/2 + 1/4 + 1/8 + 1/8 of alpha. */
function levelsOf(alpha: number): DriftLevels {
  return { scenarios: alpha, suite: alpha / 2, scenarioTokens: alpha / 4, suiteTokens: alpha / 4 };
}

/** Null: chance plays no part, or nothing was judged. */
function testOf(p: number | null, change: number | null): DirectedTest | null {
  return p === null ? null : { p, direction: change ?? 1 };
}

/** Only tests are corrected: where chance plays no part there is nothing to correct. */
function corrected(tests: readonly (DirectedTest | null)[]): readonly (number | null)[] {
  const values = directedBenjaminiHochberg(tests.flatMap((test) => test ?? []));
  let next = 0;
  return tests.map((test) => (test === null ? null : (values[next++] ?? null)));
}

function evidenceStatus(
  { difference, test }: Compared['drift'],
  q: number | null,
  level: number,
): ScenarioDrift['status'] {
  if (difference === null || test === null) return 'undecided';
  if (q !== null && q > level) return 'unchanged';
  if (difference === 0) return 'unchanged';
  return difference < 0 ? 'regressed' : 'improved';
}

/** The reference's rule; a rate that the run did not state counts as 0 there. Broken trials could have passed. */
function strictStatus({ before, after }: Compared['drift']): ScenarioDrift['status'] {
  if (after.passRate === null || before.passRate === null) return 'undecided';
  if ((after.passed + after.broken) / after.trials < before.passRate) return 'regressed';
  if (after.passRate < before.passRate) return 'undecided';
  return after.passRate > before.passRate ? 'improved' : 'unchanged';
}

function suiteReasons(
  { status, test, scenarios, before, after, difference, p }: OverallDrift,
  margin: number | null,
): readonly string[] {
  if (status !== 'regressed' || test === null || difference === null) return [];
  const [was = '', is = '', fall = '', most = ''] = rateTexts(before ?? 0, after ?? 0, -difference, margin ?? 0);
  const means = `the mean pass rate of ${scenarios} scenarios went down from ${was} to ${is}`;
  if (margin !== null) return [`The suite: ${means}; the fall of ${fall} is surely above the margin ${most}.`];
  return [`The suite: ${means} (p = ${(p ?? 0).toPrecision(2)}).`];
}

function openMargin({ interval }: OverallDrift, margin: number): string {
  const [from = 0, to = 0] = interval ?? [];
  const [most = '', low = '', high = ''] = rateTexts(margin, Math.max(0, -to), -from);
  const range = interval === null ? '' : `: by ${low} to ${high}, at 95 %`;
  return `The suite: its trials do not tell whether the mean pass rate fell by more than the margin ${most}${range}.`;
}

function reasonsOf(scenario: ScenarioDrift, tolerance: number): readonly string[] {
  const rate = scenario.status === 'regressed' ? [regression(scenario)] : [];
  return [...rate, ...tokenReasons(scenario.name, scenario.tokens, tolerance)];
}

function tokenReasons(
  who: string,
  { status, before, after, change }: TokenDrift,
  tolerance: number,
): readonly string[] {
  if (status !== 'risen' || before === null || after === null) return [];
  const by = change === null ? '' : ` by ${percent(change)}`;
  const range = `from ${round(before)} to ${round(after)}`;
  return [`${who}: tokens per trial rose${by}, ${range}; ${round(tolerance * 100)} % is tolerated.`];
}

/** Why a drop needs no test. */
const CERTAIN: Readonly<Record<string, string>> = {
  exact_repeat: ', and the same program with the same draws should give the same',
  constant: ', and nothing in it is drawn',
};

function regression(scenario: ScenarioDrift): string {
  const { name, before, after, pairs, test, q, failedFirst = [] } = scenario;
  const [was = '', is = ''] = rateTexts(before.passRate ?? 0, after.passRate ?? 0);
  const lost = pairs === null ? '' : `, ${pairs.lost} of ${pairs.trials} same trials lost and ${pairs.gained} gained`;
  const evidence = q === null ? (CERTAIN[test ?? ''] ?? '') : ` (q = ${q.toPrecision(2)})`;
  const trials = failedFirst.length === 0 ? '' : ` Failed first: ${trialsText(failedFirst)}.`;
  return `${name}: pass rate went down from ${was} to ${is}${lost}${evidence}.${trials}`;
}

function openReasons(scenarios: readonly ScenarioDrift[]): readonly string[] {
  if (scenarios.length === 0) return ['No scenario is in both the baseline and this run.'];
  const open = scenarios.filter(({ status }) => status === 'undecided').map(({ name }) => name);
  if (open.length === 0) return [];
  return [`Too few trials were judged to compare ${open.slice(0, 5).join(', ')}${open.length > 5 ? ', …' : ''}.`];
}

function notesOf(before: ComparedRun, after: ComparedRun, scenarios: readonly ScenarioDrift[]): readonly string[] {
  const notes: string[] = [];
  if (before.kind !== 'baseline') {
    const whose = before.kind === 'report' ? 'a JSON report' : 'a report of agentd-conformance';
    notes.push(`The baseline is ${whose}, which has no verdicts of single trials: less can be told.`);
  }
  if (before.passk !== null && before.passk !== after.passk) {
    notes.push(`The baseline is of passk ${before.passk}, this run of ${after.passk}: some drift may be passk's own.`);
  }
  if (before.seed !== null && before.seed !== after.seed) {
    notes.push(
      `The baseline's seed is ${before.seed}, this run's ${after.seed}: trials cannot be compared one by one.`,
    );
  }
  const changed = scenarios.filter((scenario) => scenario.changed === true).length;
  if (changed > 0) {
    const words = changed === 1 ? 'is not what it was' : 'are not what they were';
    notes.push(`${changed} of ${scenarios.length} compared scenarios ${words} when the baseline was made.`);
  }
  const odd = scenarios.filter(({ nondeterministic }) => nondeterministic).map(({ name }) => name);
  if (odd.length > 0) {
    const names = `${odd.slice(0, 5).join(', ')}${odd.length > 5 ? ', …' : ''}`;
    notes.push(`The same program with the same draws gave other verdicts: ${names}.`);
  }
  return notes;
}

function nameOf({ name, file }: ComparedScenario): DriftName {
  return { name, file };
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
