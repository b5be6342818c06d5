import { RATE_SLACK } from '../gate/meets-bar.ts';
import { rateTexts } from '../gate/rate-text.ts';
import { benjaminiHochberg } from '../stats/benjamini-hochberg.ts';
import type { DriftName, DriftReport, DriftRule, ScenarioDrift } from '../types/drift.ts';
import { type Compared, compareScenario } from './compare-scenario.ts';
import type { ComparedRun, ComparedScenario } from './compared-run.ts';
import { overallDrift } from './overall-drift.ts';
import { pairScenarios } from './pair-scenarios.ts';

export interface CompareRunsOptions {
  /** Default `evidence`. */
  readonly rule?: DriftRule;
  /** Level of every test, after correction; default 0.05. */
  readonly alpha?: number;
  /** Relative rise of tokens per trial that is tolerated; default 0.1. */
  readonly tokenTolerance?: number;
}

/** How far a run has drifted from its baseline, scenario by scenario, and whether it got worse. */
export function compareRuns(before: ComparedRun, after: ComparedRun, options: CompareRunsOptions = {}): DriftReport {
  const { rule = 'evidence', alpha = 0.05, tokenTolerance = 0.1 } = options;
  const { both, added, vanished } = pairScenarios(before, after);
  const compared = both.map((pair) => compareScenario(pair.before, pair.after, { alpha, tokenTolerance }));
  // Only tests are corrected: where chance plays no part there is nothing to correct.
  const corrected = benjaminiHochberg(compared.flatMap(({ p }) => (p === null ? [] : [p])));
  let next = 0;
  const scenarios = compared.map((one): ScenarioDrift => {
    const q = one.p === null ? null : (corrected[next++] ?? null);
    const { name, file, ...rest } = one;
    return { name, file, status: rule === 'strict' ? strictStatus(one) : evidenceStatus(one, q, alpha), ...rest, q };
  });
  const reasons = scenarios.flatMap((scenario) => reasonsOf(scenario, tokenTolerance));
  const isOpen = scenarios.length === 0 || scenarios.some(({ status }) => status === 'undecided');
  return {
    verdict: reasons.length > 0 ? 'fail' : isOpen ? 'insufficient' : 'pass',
    rule,
    alpha,
    tokenTolerance,
    baseline: { kind: before.kind, passk: before.passk, seed: before.seed },
    notes: notesOf(before, after, scenarios),
    reasons: reasons.length > 0 ? reasons : openReasons(scenarios),
    scenarios,
    added: added.map(nameOf),
    vanished: vanished.map(nameOf),
    overall: overallDrift(both, scenarios),
  };
}

function evidenceStatus(one: Compared, q: number | null, alpha: number): ScenarioDrift['status'] {
  const { difference } = one;
  if (difference === null || one.test === null) return 'undecided';
  if (q !== null && q > alpha) return 'unchanged';
  if (difference === 0) return 'unchanged';
  return difference < 0 ? 'regressed' : 'improved';
}

/** The reference's rule; a rate that the run did not state counts as 0 there. Broken trials could have passed. */
function strictStatus({ before, after }: Compared): ScenarioDrift['status'] {
  if (after.passRate === null || before.passRate === null) return 'undecided';
  if ((after.passed + after.broken) / after.trials + RATE_SLACK < before.passRate) return 'regressed';
  if (after.passRate + RATE_SLACK < before.passRate) return 'undecided';
  return after.passRate > before.passRate + RATE_SLACK ? 'improved' : 'unchanged';
}

function reasonsOf(scenario: ScenarioDrift, tolerance: number): readonly string[] {
  const reasons: string[] = [];
  if (scenario.status === 'regressed') reasons.push(regression(scenario));
  const { status, before, after, change } = scenario.tokens;
  if (status === 'risen' && before !== null && after !== null) {
    const by = change === null ? '' : ` by ${(change * 100).toFixed(1)} %`;
    reasons.push(
      `${scenario.name}: tokens per trial rose${by}, from ${round(before)} to ${round(after)}; ${round(tolerance * 100)} % is tolerated.`,
    );
  }
  return reasons;
}

/** Why a drop needs no test. */
const CERTAIN: Readonly<Record<string, string>> = {
  exact_repeat: ', and the same program with the same draws should give the same',
  constant: ', and nothing in it is drawn',
};

function regression(scenario: ScenarioDrift): string {
  const { name, before, after, pairs, test, q } = scenario;
  const [was = '', is = ''] = rateTexts(before.passRate ?? 0, after.passRate ?? 0);
  const lost = pairs === null ? '' : `, ${pairs.lost} of ${pairs.trials} same trials lost and ${pairs.gained} gained`;
  const evidence = q === null ? (CERTAIN[test ?? ''] ?? '') : ` (q = ${q.toPrecision(2)})`;
  return `${name}: pass rate went down from ${was} to ${is}${lost}${evidence}.`;
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
