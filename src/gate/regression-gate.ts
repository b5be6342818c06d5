import { assertNumbers, assertPairs, assertRate, assertWhole } from '../stats/counts.ts';
import { mcNemar } from '../stats/mcnemar.ts';
import { sumOf } from '../stats/mean.ts';
import { fewestSure, nonInferiority, testDifference } from '../stats/paired-t.ts';
import type { GateVerdict } from '../types/reports/gate.ts';
import { rateTexts } from '../text/format-rate.ts';

/** A candidate compared with its baseline, scenario by scenario. */
export interface PairedRuns {
  /** Scenarios judged in both runs. */
  readonly scenarios: number;
  /** Scenarios that passed before and fail now, and the reverse. */
  readonly lost: readonly string[];
  /** Scenarios that failed before and pass now. */
  readonly gained: readonly string[];
  /** Candidate − baseline of pass^k (or the pass rate), one for each scenario. */
  readonly differences: readonly number[];
  /** Cost per success of both runs, and candidate − baseline of cost for each scenario; absent: not compared. */
  readonly cost?: {
    /** Cost per success of the baseline; null: unknown. */
    readonly baseline: number | null;
    /** Cost per success of the candidate; null: unknown. */
    readonly candidate: number | null;
    /** Candidate − baseline of cost, one for each scenario. */
    readonly differences: readonly number[];
  };
}

/** What may become worse before `regressionGate()` fails. */
export interface RegressionLimits {
  /** Largest loss of the mean that does not matter. */
  readonly margin: number;
  /** Largest share of scenarios lost. */
  readonly maxRegressionRate: number;
  /** Largest relative rise of cost per success. */
  readonly maxCostIncrease: number;
  /** Level of every test; 0.05 when absent. */
  readonly alpha?: number;
  /** Levels of the tests of the mean and of cost in place of it, where tests share one chance of a false alarm. */
  readonly meanAlpha?: number;
  /** Level of the test of cost. */
  readonly costAlpha?: number;
  /** Scenarios the comparison was planned for; with fewer, an open question is insufficient evidence. */
  readonly plannedScenarios?: number;
}

/** What `regressionGate()` makes of two runs. */
export interface RegressionVerdict {
  /** Whether the candidate holds: `insufficient` where there is too little evidence. */
  readonly verdict: GateVerdict;
  /** Lost / scenarios; null without scenarios. */
  readonly regressionRate: number | null;
  /** McNemar's exact p. */
  readonly p: number | null;
  /** Candidate / baseline − 1; null where either does not exist or the baseline is free. */
  readonly costIncrease: number | null;
  /** One sentence for each way in which it does not pass. */
  readonly reasons: readonly string[];
}

/**
 * Whether a candidate is worse than its baseline: surely below the margin; or more scenarios lost than allowed *and*
 * more lost than gained, beyond chance (size and evidence); or cost per success risen more than allowed and surely risen. Open
 * questions are insufficient where fewer scenarios than planned were compared, and where every scenario became worse but so
 * few do not show it of others. Source: release-gate F-09.
 */
export function regressionGate(runs: PairedRuns, limits: RegressionLimits): RegressionVerdict {
  const { alpha = 0.05, meanAlpha = alpha, costAlpha = alpha, plannedScenarios = 0 } = limits;
  assertLimits(limits);
  assertPairs(runs.scenarios, runs.lost.length, runs.gained.length);
  const { baseline = null, candidate = null } = runs.cost ?? {};
  assertNumbers(
    'cost',
    [baseline, candidate].filter((cost) => cost !== null),
    0,
  );
  if (runs.scenarios === 0) {
    const reasons = ['No scenario was judged in both runs.'];
    return { verdict: 'insufficient', regressionRate: null, p: null, costIncrease: null, reasons };
  }
  const regressionRate = runs.lost.length / runs.scenarios;
  const p = mcNemar(runs.lost.length, runs.gained.length, runs.scenarios)?.exact ?? 1;
  const costIncrease = relativeIncrease(runs.cost);
  const loss = nonInferiority(runs.differences, limits.margin, 1 - meanAlpha);
  if (runs.differences.length !== runs.scenarios) {
    throw new RangeError(
      `${runs.differences.length} differences of ${runs.scenarios} scenarios are impossible: give one for each.`,
    );
  }
  const fails: string[] = [];
  if (loss?.verdict === 'worse') {
    const [mean = '', margin = ''] = rateTexts(-loss.mean, limits.margin);
    fails.push(`The mean loss of ${mean} is surely above the margin ${margin}.`);
  }
  const isLoss = runs.lost.length > runs.gained.length && p < alpha;
  if (regressionRate > limits.maxRegressionRate && isLoss) {
    const [rate = '', most = ''] = rateTexts(regressionRate, limits.maxRegressionRate);
    const names = runs.lost.join(', ');
    fails.push(`${rate} of scenarios regressed, above ${most}, by chance only with p = ${p.toPrecision(2)}: ${names}.`);
  }
  const open: string[] = [];
  if (loss?.verdict === 'open') open.push(...openLoss(runs, limits.margin, plannedScenarios));
  if (costIncrease !== null && costIncrease > limits.maxCostIncrease) {
    const [rise = '', most = ''] = rateTexts(costIncrease, limits.maxCostIncrease);
    const rose = `Cost per success rose by ${rise} of its former value, above ${most}`;
    const differences = runs.cost?.differences ?? [];
    if (surelyRose(differences, costAlpha)) fails.push(`${rose}.`);
    else open.push(...openCost(differences, costAlpha).map((why) => `${rose}; ${why}.`));
  }
  const shared = { regressionRate, p, costIncrease };
  if (fails.length > 0) return { ...shared, verdict: 'fail', reasons: fails };
  return { ...shared, verdict: open.length > 0 ? 'insufficient' : 'pass', reasons: open };
}

/** Why a loss that may exceed the margin is no pass; []: as many scenarios as were planned have shown what they can. */
function openLoss({ scenarios, differences }: PairedRuns, margin: number, planned: number): readonly string[] {
  if (scenarios < planned) {
    return [`${scenarios} of ${planned} planned scenarios cannot tell whether the loss exceeds the margin ${margin}.`];
  }
  if (differences.some((difference) => difference >= -margin)) return [];
  return [
    `Every scenario lost more than the margin ${margin}, but ${scenarios} cannot tell whether the mean of others would.`,
  ];
}

/** Why a rise of cost that is not sure is no pass: it rose on every scenario, of which so few are never sure. */
function openCost(differences: readonly number[], alpha: number): readonly string[] {
  const [count, least] = [differences.length, fewestSure(alpha)];
  if (count >= least || differences.some((difference) => difference <= 0)) return [];
  return [`it rose on every scenario, but ${count} cannot tell that from chance, and ${least} would`];
}

/** Counts and differences are looked at by the tests themselves. */
function assertLimits(limits: RegressionLimits): void {
  const { maxRegressionRate, maxCostIncrease, alpha = 0.05, meanAlpha, costAlpha, plannedScenarios = 0 } = limits;
  assertRate(maxRegressionRate);
  assertNumbers('largest rise of cost', [maxCostIncrease], 0);
  assertWhole('plannedScenarios', plannedScenarios, 0, Number.MAX_SAFE_INTEGER);
  for (const level of [alpha, meanAlpha ?? alpha, costAlpha ?? alpha]) {
    if (level > 0 && level < 0.5) continue;
    throw new RangeError(`alpha = ${level} is impossible: give a number between 0 and 0.5.`);
  }
}

function relativeIncrease(cost: PairedRuns['cost']): number | null {
  if (cost === undefined || cost.candidate === null || cost.baseline === null || cost.baseline === 0) return null;
  return cost.candidate / cost.baseline - 1;
}

function surelyRose(differences: readonly number[], alpha: number): boolean {
  const p = testDifference(differences, 0)?.p ?? 1;
  return p < alpha && sumOf(differences) > 0;
}
