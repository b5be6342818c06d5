import { curtailed, type SoFar } from '../stats/curtailment.ts';
import { type Sprt, sprt, sprtDecision } from '../stats/sprt.ts';
import type { Gate, GateVerdict } from '../types/reports/gate.ts';
import type { SequentialTest, StopRule } from '../types/stop-early.ts';
import { goodRate, badRate } from './describe-gate.ts';
import { verdictOfRange } from './compare.ts';
import { meetsBar } from './meets-bar.ts';
import { passMetric } from './pass-metric.ts';
import { type CountRanges, countRanges, dependsOnPasses, lowestCount } from './passing-counts.ts';
import { worstVerdict } from './worst-verdict.ts';

/** What a scenario is judged by. */
export interface JudgedBy {
  readonly name: string;
  /** Planned. */
  readonly trials: number;
  /** Its own bar; null: every trial must pass. */
  readonly minPassRate: number | null;
  /** The suite's floor; null: none. */
  readonly floor: number | null;
  readonly gates: readonly Gate[];
}

/** Verdicts of the first trials of a scenario. */
export interface FirstTrials {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
}

/** Says when the first trials of a scenario settle how it is judged. */
export interface Settler {
  /** Null: what is settled is what all planned trials would say, with certainty. */
  readonly test: SequentialTest | null;
  /** Null: not yet. Depends on the counts alone; broken trials count both ways. */
  settle(counts: FirstTrials): GateVerdict | null;
  /** The verdict that the scenario's report states: that of the test, where there is one. */
  judge(counts: FirstTrials): GateVerdict | null;
}

/** True: what the gate says of this scenario needs all its trials, so it cannot stop early. */
export function needsAllTrials(gate: Gate, name: string): boolean {
  if (gate.scope.kind === 'suite') return true;
  const isAsked = gate.scope.kind === 'every' || (gate.scope.kind === 'scenario' && gate.scope.name === name);
  return isAsked && !dependsOnPasses(gate);
}

/**
 * When a scenario may stop: its own bar, the floor and every gate on it are settled, each by itself, so that none of
 * them says anything else than after all trials. With `sprt` the bars are those of a sequential test, where one between
 * two rates is possible; its gates stay certain. Null: some gate needs all trials.
 */
export function createSettler(judged: JudgedBy, rule: StopRule): Settler | null {
  const { name, trials, minPassRate, floor, gates } = judged;
  if (gates.some((gate) => needsAllTrials(gate, name))) return null;
  const scenarioGates = gates.filter(
    ({ scope }) => scope.kind === 'every' || (scope.kind === 'scenario' && scope.name === name),
  );
  // Too few trials for its k: the gate stays open however they end.
  if (scenarioGates.some(({ k }) => (k ?? 1) > trials)) return null;
  const judges: { readonly gate: Gate | null; readonly ranges: CountRanges }[] = scenarioGates.map((gate) => ({
    gate,
    ranges: countRanges(gate, trials),
  }));
  const bar = minPassRate === null ? null : Math.max(minPassRate, floor ?? 0);
  const sequential = rule.rule === 'sprt' && bar !== null ? sequentialTest(bar, rule) : null;
  if (sequential === null) {
    judges.push({ gate: null, ranges: barRanges(minPassRate, trials) });
    if (floor !== null) judges.push({ gate: null, ranges: barRanges(floor, trials) });
  }
  const settle = (counts: FirstTrials): GateVerdict | null => {
    // Broken trials alone show nothing, not even for a bar of 0.
    if (counts.passed + counts.failed === 0) return null;
    const soFar = { trials, ...counts };
    const verdicts = judges.map(({ gate, ranges }) =>
      gate !== null && isOpen(gate, soFar) ? null : settled(soFar, ranges),
    );
    if (sequential !== null) verdicts.push(decided(sequential.test, counts));
    const certain = verdicts.flatMap((verdict) => verdict ?? []);
    return certain.length < verdicts.length ? null : worstVerdict(certain);
  };
  if (sequential === null) return { test: null, settle, judge: settle };
  return { test: sequential.reportedTest, settle, judge: (counts) => decided(sequential.test, counts) };
}

/** What no trial to come can change: too few trials to tell are a verdict as well. */
function settled(soFar: SoFar, { passing, standing }: CountRanges): GateVerdict | null {
  const passes = curtailed(soFar, passing);
  if (passes === 'pass') return 'pass';
  const stands = curtailed(soFar, standing);
  if (stands === 'fail') return 'fail';
  return passes === 'fail' && stands === 'pass' ? 'insufficient' : null;
}

/** Whether a bar that must be met exactly lies within what is possible: a gate then calls it open, even if no count meets it. */
function isOpen(gate: Gate, { trials, passed, failed }: SoFar): boolean {
  if (gate.operator !== '==') return false;
  const [low, high] = [passMetric(gate, passed, trials), passMetric(gate, trials - failed, trials)];
  return low === null || high === null || verdictOfRange(low, high, gate.operator, gate.value) === 'insufficient';
}

function barRanges(bar: number | null, trials: number): CountRanges {
  const least = lowestCount(trials, (passed) => meetsBar(passed, trials, bar));
  const range = least > trials ? null : ([least, trials] as const);
  return { passing: range, standing: range };
}

interface BarTest {
  readonly test: Sprt;
  readonly reportedTest: SequentialTest;
}

/**
 * The test of a bar: between a workflow that fails about twice as often as the bar allows and one that fails half as
 * often, as gates are described. Null where there is none, as for the bars 0 and 1. The report states
 * bounds on its errors that hold for any number of trials, not the rates asked for: a ratio of likelihoods reaches A by
 * chance at most once in A (Ville 1939), and looking only at block ends, or at a limited number of trials, makes that
 * rarer. Wald 1945.
 */
export function sequentialTest(
  bar: number,
  { falsePass, falseFail }: Extract<StopRule, { rule: 'sprt' }>,
): BarTest | null {
  const [bad, good] = [badRate(bar), goodRate(bar)];
  if (!(0 < bad && bad < good && good < 1)) return null;
  const test = sprt({ bad, good, falseAccept: falsePass, falseReject: falseFail });
  return { test, reportedTest: { bad, good, falsePass: Math.exp(-test.acceptAt), falseFail: Math.exp(test.rejectAt) } };
}

function decided(test: Sprt, { passed, failed, broken }: FirstTrials): 'pass' | 'fail' | null {
  if (sprtDecision(test, passed, failed + broken) === 'accept') return 'pass';
  return sprtDecision(test, passed + broken, failed) === 'reject' ? 'fail' : null;
}
