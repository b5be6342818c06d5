import { meetsBar } from '../../gate/meets-bar.ts';
import { isUndecided } from '../../gate/min-pass-rate.ts';
import { listedKs, passHatK } from '../../stats/pass-hat-k.ts';
import { confidenceSequence } from '../../stats/confidence-sequence.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import { STATUSES, STOPS, type StoppedBy } from '../../types/trial.ts';
import type { ProgramInfo } from '../../trial/program-info.ts';
import type { LoadedScenarioReport, SampledScenario } from '../../types/reports/scenario-report.ts';
import type { JudgeReport } from '../../types/judges/judge-report.ts';
import { foldJudges } from '../judges/fold-judges.ts';
import { mostFrequentFirst } from '../counts/most-frequent-first.ts';
import { countChecks } from '../counts/count-checks.ts';
import { declaredParts } from '../declared-parts.ts';
import { foldCost } from './fold-cost.ts';
import { foldLedger } from '../rows/fold-ledger.ts';
import { foldExhaustive } from './fold-exhaustive.ts';
import { subjectParts } from './subject-parts.ts';
import { type FoldScenarioInput, foldHead, NO_TRIALS } from './fold-head.ts';
import { brokenParts, retriedPart } from '../counts/broken-parts.ts';
import { declinedPart } from '../counts/declined-part.ts';
import { isConstant } from '../is-constant.ts';
import { observedCapabilities } from './observed-capabilities.ts';
import { isDryRun } from '../../types/subjects.ts';

/** One scenario's counts as its report. Depends on the tally's value only, never on how it was put together. */
export function foldScenario(input: FoldScenarioInput): LoadedScenarioReport {
  const { plan, tally, requested } = input;
  if (tally.executed === 0 && tally.exact === null) {
    const trials = plan.sampler === 'exhaustive' ? NO_TRIALS : { ...NO_TRIALS, requested };
    return { name: plan.scenario.name, ...foldHead(input), verdict: 'not_run', sampler: plan.sampler, trials };
  }
  if (plan.sampler === 'exhaustive') return foldExhaustive(input);
  const report = foldSampled(input, plan.sampler);
  if (!isUndecided(report, { minPassRate: input.floor ?? null })) return report;
  const { belowFloor: _, ...undecided } = report;
  return { ...undecided, verdict: 'insufficient' };
}

function foldSampled(input: FoldScenarioInput, sampler: SampledScenario['sampler']): SampledScenario {
  const { plan, info, tally, failures, requested, floor = null, stopEarly } = input;
  const { scenario } = plan;
  const { deduplicated, passed, failed, broken } = tally;
  const { leftOut, parts } = subjectParts(input);
  const ran = tally.executed - leftOut;
  const tested = stopEarly?.test !== undefined;
  const judges = judgesIn(input, ran);
  const clears = tested ? stopEarly.verdict === 'pass' : clearsBar(passed, ran, scenario.minPassRate, judges);
  // A test is one of the higher bar.
  const isBelow = floor !== null && !tested && clears && !clearsBar(passed, ran, floor, judges);
  // A bar of 0 is met without a success, and yet nothing is shown where no trial has a result.
  const hasPassed = clears && !isBelow && passed + failed > 0;
  // Wilson's interval holds for a number of trials that was fixed before.
  const interval = stopEarly === undefined ? wilsonInterval : confidenceSequence;
  const isFixed = stopEarly === undefined;
  const constant = isConstant(plan);
  const { cost, reasons } = foldCost(tally, { isFixed, isConstant: constant });
  const turns = countTurns(info, tally);
  return {
    name: scenario.name,
    ...foldHead(input),
    verdict: hasPassed ? 'passed' : 'failed',
    ...(isBelow && { belowFloor: floor }),
    sampler,
    trials: { requested, executed: tally.executed - deduplicated, deduplicated, passed, failed, broken },
    ...(constant && { constant }),
    ...(stopEarly !== undefined && { stopEarly }),
    passRate: ran === 0 ? 0 : passed / ran,
    passRateInterval: interval(ran, passed) ?? [0, 1],
    strictPassK: passed === ran && ran > 0 ? 1 : 0,
    passHatK: listPassHatK(ran, passed),
    ...parts,
    ...(judges !== undefined && { judges }),
    cost,
    ...(plan.ledger === true && { ledger: foldLedger(tally.rows?.list() ?? []) }),
    statuses: countStatuses(tally),
    stoppedBy: countStops(tally),
    virtualMs: { mean: ran === 0 ? 0 : tally.elapsedUs / ran / 1000, max: tally.maxElapsedUs / 1000 },
    checks: countChecks({ info, tally }),
    failureClasses: listClasses(info, tally),
    failures,
    ...brokenParts(tally),
    ...retriedPart(tally),
    ...declinedPart(scenario, tally),
    nodes: info.nodes.map(({ node, type }, i) => ({ node, type, visits: tally.nodeVisits[i] ?? 0 })),
    edges: info.edges.map(({ from, to, when }, i) => ({ from, to, when, visits: tally.edgeVisits[i] ?? 0 })),
    turns,
    // In a dry run nodes are passed, and do nothing.
    observed: isDryRun(scenario) ? [] : observedCapabilities(tally, hasPassed && heldUnderVariation(tally, turns)),
    ...declaredParts(plan, info, tally),
    reasons,
  };
}

/** Undefined: none was asked. */
function judgesIn(
  { plan, tally, standings = new Map() }: FoldScenarioInput,
  ran: number,
): readonly JudgeReport[] | undefined {
  if (plan.judges === undefined || tally.judges === null) return undefined;
  return foldJudges(
    plan.judges,
    { scenario: plan.scenario.name, ran, passed: tally.passed, counts: tally.judges },
    standings,
  );
}

/** Where a judge may decide, its bar is one for the rate that people would have found. */
function clearsBar(passed: number, ran: number, bar: number | null, judges: readonly JudgeReport[] = []): boolean {
  const [judge, ...others] = judges;
  const corrected = others.length === 0 ? judge?.corrected : null;
  return bar !== null && corrected != null ? corrected.rate >= bar : meetsBar(passed, ran, bar);
}

function listPassHatK(trials: number, passed: number): SampledScenario['passHatK'] {
  return listedKs(trials).flatMap((k) => {
    const value = passHatK(trials, passed, k);
    return value === null ? [] : [{ k, value }];
  });
}

function countStatuses({ statuses }: Tally): SampledScenario['statuses'] {
  const counts = { completed: 0, failed: 0, timed_out: 0, paused: 0, errored: 0 };
  for (const [i, status] of STATUSES.entries()) counts[status] = statuses[i] ?? 0;
  return counts;
}

function countStops({ stops }: Tally): SampledScenario['stoppedBy'] {
  const counts: Partial<Record<StoppedBy, number>> = {};
  for (const [i, stop] of STOPS.entries()) {
    const count = stops[i] ?? 0;
    if (count > 0) counts[stop] = count;
  }
  return counts;
}

function countTurns({ turns }: ProgramInfo, { served }: Tally): SampledScenario['turns'] {
  let start = 0;
  return turns.map(({ turn, variants }) => {
    const counts = served.slice(start, start + variants);
    start += variants;
    return { turn, served: counts };
  });
}

// The sort is stable: equally frequent classes keep their order.
function listClasses(info: ProgramInfo, tally: Tally): SampledScenario['failureClasses'] {
  return [...tally.classes.entries]
    .map(([key, { count, lowestTrial }]) => ({ checks: classChecks(key, info.checks), count, lowestTrial }))
    .sort(mostFrequentFirst);
}

function classChecks(key: string, checks: readonly string[]): readonly string[] {
  if (key === '') return [];
  return key.split(',').map((position) => checks[Number(position)] ?? `check ${position}`);
}

/** Reliability is observed by a scenario that clears its bar over at least 8 trials in which a turn varied. */
function heldUnderVariation(tally: Tally, turns: SampledScenario['turns']): boolean {
  return tally.executed >= 8 && turns.some(({ served }) => served.filter((count) => count > 0).length >= 2);
}
