import { meetsBar } from '../gate/meets-bar.ts';
import { listedKs, passHatK } from '../stats/pass-hat-k.ts';
import { confidenceSequence } from '../stats/confidence-sequence.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import type { Tally } from '../trial/tally.ts';
import { STATUSES, STOPS } from '../types/trial.ts';
import { Recent } from '../values/recent.ts';
import type { ProgramInfo } from '../trial/program.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { FailureReport, ScenarioReport, TrialCounts } from '../types/report.ts';
import type { StopEarlyReport } from '../types/stop-early.ts';
import type { StoppedBy, SubjectStatus } from '../types/trial.ts';
import { declaredParts } from './declared-parts.ts';
import { foldCost } from './fold-cost.ts';
import { foldExhaustive } from './fold-exhaustive.ts';
import { observedCapabilities } from './observed-capabilities.ts';

export interface FoldScenarioInput {
  readonly plan: ScenarioPlan;
  readonly info: ProgramInfo;
  readonly tally: Tally;
  /** The lowest failing and broken trials, shown in full. */
  readonly failures: readonly FailureReport[];
  /** Trials that were asked for. */
  readonly requested: number;
  /** The suite's seed; the scenario's own wins. */
  readonly seed: number;
  /** Absent: the scenario was to run all its trials, whatever they give. */
  readonly stopEarly?: StopEarlyReport;
}

/** One scenario's counts as its report. Depends on the tally's value only, never on how it was put together. */
export function foldScenario(input: FoldScenarioInput): ScenarioReport {
  const { plan, info, tally, failures, requested, seed, stopEarly } = input;
  if (plan.sampler === 'exhaustive') return foldExhaustive(input);
  const { scenario } = plan;
  const trials = countTrials(tally, requested);
  const ran = tally.executed;
  const tested = stopEarly?.test !== undefined;
  const clears = tested ? stopEarly.verdict === 'pass' : meetsBar(tally.passed, ran, scenario.minPassRate);
  // Wilson's interval holds for a number of trials that was fixed before.
  const interval = stopEarly === undefined ? wilsonInterval : confidenceSequence;
  const reasons: Record<string, string> = {};
  if (ran === 0) for (const field of RATE_FIELDS) reasons[field] = 'not_run';
  const report: ScenarioReport = {
    name: scenario.name,
    file: scenario.file,
    description: scenario.description ?? null,
    tags: scenario.tags,
    capabilities: scenario.capabilities,
    verdict: clears ? 'passed' : 'failed',
    loadErrors: [],
    pure: plan.pure,
    seed: scenario.seed ?? seed,
    sampler: plan.sampler,
    trials,
    passRate: ran === 0 ? null : tally.passed / ran,
    passRateInterval: interval(tally.passed, ran),
    strictPassK: ran === 0 ? null : tally.passed === ran ? 1 : 0,
    passHatK: listPassHatK(ran, tally.passed),
    minPassRate: scenario.minPassRate,
    cost: foldCost(tally, stopEarly === undefined, reasons),
    statuses: countStatuses(tally),
    stoppedBy: countStops(tally),
    virtualMs: { mean: ran === 0 ? null : tally.elapsedUs / ran / 1000, max: tally.maxElapsedUs / 1000 },
    checks: countChecks(info, tally),
    failureClasses: listClasses(info, tally),
    failures,
    nodes: info.nodes.map(({ node, type }, i) => ({ node, type, visits: tally.nodeVisits[i] ?? 0 })),
    edges: info.edges.map(({ from, to, when }, i) => ({ from, to, when, visits: tally.edgeVisits[i] ?? 0 })),
    turns: servedTurns(info, tally),
    observed: observedCapabilities(tally, clears && heldUnderVariation(tally, info)),
    reasons,
  };
  const declared = declaredParts(plan, info, tally);
  if (plan.effects === undefined && stopEarly === undefined && declared === null) return report;
  const effects = plan.effects === undefined ? {} : { effects: plan.effects };
  return withRareParts(report, {
    effects,
    stop: stopEarly === undefined ? {} : { stopEarly },
    declared: declared ?? {},
  });
}

/** The report with what few have, each part in its place. The others are made without, at once. */
function withRareParts(
  report: ScenarioReport,
  rare: {
    readonly effects: Pick<ScenarioReport, 'effects'>;
    readonly stop: Pick<ScenarioReport, 'stopEarly'>;
    readonly declared: Pick<ScenarioReport, 'chaos' | 'contract'>;
  },
): ScenarioReport {
  const { name, file, description, tags, capabilities, verdict, loadErrors, pure, seed, sampler, trials, ...counted } =
    report;
  const { reasons, ...found } = counted;
  const head = { name, file, description, tags, capabilities, verdict, loadErrors, pure };
  return { ...head, ...rare.effects, seed, sampler, trials, ...rare.stop, ...found, ...rare.declared, reasons };
}

const RATE_FIELDS = ['passRate', 'passRateInterval', 'strictPassK', 'virtualMs.mean'];

/** Requested and executed stay apart; broken trials stay in every denominator. */
function countTrials(tally: Tally, requested: number): TrialCounts {
  const { executed: counted, deduplicated, passed, failed, broken } = tally;
  return { requested, executed: counted - deduplicated, deduplicated, passed, failed, broken };
}

type Listed = ScenarioReport['passHatK'];

/** Scenarios of a suite often have as many trials as the one before, and as many that pass. */
const lists = new Recent<{ readonly trials: number; readonly passed: number; readonly listed: Listed }>(4);

function listPassHatK(trials: number, passed: number): Listed {
  const known = lists.find((one) => one.trials === trials && one.passed === passed);
  if (known !== undefined) return known.listed;
  const listed = listedKs(trials).flatMap((k) => {
    const value = passHatK(trials, passed, k);
    return value === null ? [] : [{ k, value }];
  });
  return lists.keep({ trials, passed, listed }).listed;
}

function countStatuses(tally: Tally): Readonly<Record<SubjectStatus, number>> {
  const counts = { completed: 0, failed: 0, timed_out: 0, paused: 0, errored: 0 };
  for (let i = 0; i < STATUSES.length; i++) counts[STATUSES[i] as SubjectStatus] = tally.statuses[i] ?? 0;
  return counts;
}

function countStops(tally: Tally): Readonly<Partial<Record<StoppedBy, number>>> {
  const counts: Partial<Record<StoppedBy, number>> = {};
  for (let i = 0; i < STOPS.length; i++) {
    const count = tally.stops[i] ?? 0;
    if (count > 0) counts[STOPS[i] as StoppedBy] = count;
  }
  return counts;
}

// Both sorts are stable: equally frequent checks keep their order in the scenario.
function countChecks(info: ProgramInfo, tally: Tally): ScenarioReport['checks'] {
  const found: { readonly check: string; readonly failed: number }[] = [];
  for (let i = 0; i < info.checks.length; i++) {
    const failed = tally.checkFailures[i] ?? 0;
    if (failed > 0) found.push({ check: info.checks[i] as string, failed });
  }
  return found.sort((a, b) => b.failed - a.failed);
}

function listClasses(info: ProgramInfo, tally: Tally): ScenarioReport['failureClasses'] {
  if (tally.classes.size === 0) return [];
  return [...tally.classes]
    .map(([key, { count, lowestTrial }]) => ({ checks: classChecks(key, info.checks), count, lowestTrial }))
    .sort((a, b) => b.count - a.count || a.lowestTrial - b.lowestTrial);
}

function classChecks(key: string, checks: readonly string[]): readonly string[] {
  if (key === '') return [];
  return key.split(',').map((position) => checks[Number(position)] ?? `check ${position}`);
}

function servedTurns(info: ProgramInfo, tally: Tally): ScenarioReport['turns'] {
  let start = 0;
  return info.turns.map(({ turn, variants }) => {
    const served = tally.served.slice(start, start + variants);
    start += variants;
    return { turn, served };
  });
}

/** Reliability is observed by a scenario that clears its bar over at least 8 trials in which a turn varied. */
function heldUnderVariation(tally: Tally, info: ProgramInfo): boolean {
  if (tally.executed < 8) return false;
  return servedTurns(info, tally).some(({ served }) => served.filter((count) => count > 0).length >= 2);
}
