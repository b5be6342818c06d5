import { meetsBar } from '../gate/meets-bar.ts';
import { listedKs, passHatK } from '../stats/pass-hat-k.ts';
import { confidenceSequence } from '../stats/confidence-sequence.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import type { Tally } from '../trial/tally.ts';
import { STATUSES, STOPS } from '../types/trial.ts';
import { NO_ITEMS } from '../values/empty.ts';
import { Recent } from '../values/recent.ts';
import type { ProgramInfo } from '../trial/program.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { FailureReport, ScenarioReport } from '../types/report.ts';
import type { StopEarlyReport } from '../types/stop-early.ts';
import { countedParts as parts } from './counted-parts.ts';
import { declaredParts } from './declared-parts.ts';
import { foldCost } from './fold-cost.ts';
import { foldExhaustive } from './fold-exhaustive.ts';

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
  const ran = tally.executed;
  const tested = stopEarly?.test !== undefined;
  const clears = tested ? stopEarly.verdict === 'pass' : meetsBar(tally.passed, ran, scenario.minPassRate);
  const { cost, reasons } = foldCost(tally, stopEarly === undefined);
  // Wilson's interval holds for a number of trials that was fixed before.
  const interval = stopEarly === undefined ? wilsonInterval : confidenceSequence;
  const { deduplicated, passed, failed, broken } = tally;
  const alike = { isSingle: ran === 1 };
  const { trials, passRateInterval } = parts.rates.of(
    interval,
    [requested, ran, deduplicated, passed, failed, broken],
    alike,
  );
  const turns = parts.turns.of(info.turns, tally.served, alike);
  const report: ScenarioReport = {
    name: scenario.name,
    file: scenario.file,
    description: scenario.description ?? null,
    tags: scenario.tags,
    capabilities: scenario.capabilities,
    verdict: clears ? 'passed' : 'failed',
    loadErrors: NO_ITEMS,
    pure: plan.pure,
    seed: scenario.seed ?? seed,
    sampler: plan.sampler,
    trials,
    passRate: ran === 0 ? null : tally.passed / ran,
    passRateInterval,
    strictPassK: ran === 0 ? null : tally.passed === ran ? 1 : 0,
    passHatK: listPassHatK(ran, tally.passed),
    minPassRate: scenario.minPassRate,
    cost,
    statuses: parts.statuses.of(STATUSES, tally.statuses, alike),
    stoppedBy: parts.stops.of(STOPS, tally.stops, alike),
    virtualMs: parts.virtualMs.of(ran, [tally.elapsedUs, tally.maxElapsedUs], alike),
    checks: countChecks(info, tally),
    failureClasses: listClasses(info, tally),
    failures,
    nodes: parts.nodes.of(info.nodes, tally.nodeVisits, alike),
    edges: parts.edges.of(info.edges, tally.edgeVisits, alike),
    turns,
    observed: parts.observed.of(
      clears && heldUnderVariation(tally, turns),
      [tally.observedLow, tally.observedHigh],
      alike,
    ),
    reasons: ran === 0 ? { ...NOT_RUN, ...reasons } : reasons,
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

/** Why nothing is known of a scenario that was not reached. */
const NOT_RUN = {
  passRate: 'not_run',
  passRateInterval: 'not_run',
  strictPassK: 'not_run',
  'virtualMs.mean': 'not_run',
};

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

// Both sorts are stable: equally frequent checks keep their order in the scenario.
function countChecks(info: ProgramInfo, tally: Tally): ScenarioReport['checks'] {
  if (tally.failed === 0) return NO_ITEMS;
  const found: { readonly check: string; readonly failed: number }[] = [];
  for (let i = 0; i < info.checks.length; i++) {
    const failed = tally.checkFailures[i] ?? 0;
    if (failed > 0) found.push({ check: info.checks[i] as string, failed });
  }
  return found.sort((a, b) => b.failed - a.failed);
}

function listClasses(info: ProgramInfo, tally: Tally): ScenarioReport['failureClasses'] {
  if (tally.classes.size === 0) return NO_ITEMS;
  return [...tally.classes]
    .map(([key, { count, lowestTrial }]) => ({ checks: classChecks(key, info.checks), count, lowestTrial }))
    .sort((a, b) => b.count - a.count || a.lowestTrial - b.lowestTrial);
}

function classChecks(key: string, checks: readonly string[]): readonly string[] {
  if (key === '') return [];
  return key.split(',').map((position) => checks[Number(position)] ?? `check ${position}`);
}

/** Reliability is observed by a scenario that clears its bar over at least 8 trials in which a turn varied. */
function heldUnderVariation(tally: Tally, turns: ScenarioReport['turns']): boolean {
  return tally.executed >= 8 && turns.some(({ served }) => served.filter((count) => count > 0).length >= 2);
}
