import { fisherExact } from '../stats/fisher-exact.ts';
import { stratifiedRateInterval } from '../stats/stratified-rate-interval.ts';
import type { EvalBody, EvalScenario } from '../types/release/eval-body.ts';
import type { AxisFigure, PassedOf, ReleaseRegression, ReleaseReport } from '../types/release/release-report.ts';
import { AXES, type Axis } from '../types/release/release-rules.ts';
import { isAskedOf, releaseGate } from './axes/judge-rules.ts';
import { isGating } from './axes/outcome-axis.ts';
import { trialsOf } from './count-trials.ts';
import { candidateText } from './release-texts.ts';

/** How rarely chance alone may make a regression. */
const CHANCE = 0.05;

/** What a report shows of a release: a pure function of its record's body. */
export function releaseReport(body: EvalBody): ReleaseReport {
  const { candidate, tier, release, asOf, verdict, reasons, cost, axes, governance, prior, reliability } = body;
  const before = new Map(prior?.passHatK.map(({ k, value }) => [k, value]));
  return {
    candidate: candidateText(candidate),
    tier,
    release,
    asOf,
    verdict,
    reasons,
    cost,
    axes: AXES.map((axis) => {
      const { verdict: own, isAdvisory, reasons: why, evidence } = axes[axis];
      return { axis, verdict: own, isAdvisory, reasons: why, evidence, figure: figureOf(axis, body) };
    }),
    governance,
    prior: prior?.candidate ?? null,
    curve: reliability.passHatK.map(({ k, value }) => ({ k, candidate: value, prior: before.get(k) ?? null })),
    regressions: regressionsOf(body),
  };
}

function figureOf(axis: Axis, { scenarios, rules, cost, safety }: EvalBody): AxisFigure | null {
  switch (axis) {
    case 'outcome':
      return passRate(scenarios.filter(isGating));
    case 'trajectory':
    case 'faithfulness': {
      const gates = rules[axis].map(releaseGate);
      return passRate(scenarios.filter((scenario) => gates.some((gate) => isAskedOf(gate, scenario))));
    }
    case 'cost': {
      const { perSuccessExactUsd: value, perSuccessInterval: interval, ceilingUsd: most } = cost;
      return value === null ? null : { measure: 'cost of a success', unit: 'usd', value, interval, most };
    }
    case 'safety': {
      const { rate, upper } = safety;
      if (rate === null || upper === null) return null;
      const most = rules.maxAttackSuccess;
      return { measure: 'attacks that succeed', unit: 'share', value: rate, interval: [0, upper], most };
    }
  }
}

/** The mean pass rate over scenarios, and what more trials of the same scenarios would show. */
function passRate(scenarios: readonly EvalScenario[]): AxisFigure | null {
  const parts = scenarios.flatMap((scenario) => {
    const groups = trialsOf(scenario);
    return groups === 0 ? [] : [{ value: scenario.passed / groups, groups }];
  });
  if (parts.length === 0) return null;
  const value = parts.reduce((sum, part) => sum + part.value, 0) / parts.length;
  return { measure: 'pass rate', unit: 'share', value, interval: stratifiedRateInterval(parts), most: null };
}

function regressionsOf({ prior, scenarios }: EvalBody): readonly ReleaseRegression[] {
  const before = new Map(prior?.scenarios.map((scenario) => [scenario.name, scenario]));
  const beforeByHash = new Map(prior?.scenarios.map((scenario) => [scenario.hash, scenario]));
  const found = scenarios.flatMap((scenario): readonly ReleaseRegression[] => {
    const earlier = before.get(scenario.name) ?? beforeByHash.get(scenario.hash);
    if (earlier === undefined || !isGating(scenario)) return [];
    const now = { passed: scenario.passed, trials: trialsOf(scenario) };
    const then = { passed: earlier.passed, trials: earlier.trials };
    const chance = isSound(then) ? (fisherExact(then, now)?.worse ?? 1) : 1;
    if (chance > CHANCE) return [];
    const { name, suite, firstFailures } = scenario;
    return [{ name, suite, before: then, now, chance, firstFailure: firstFailures[0] ?? null }];
  });
  return found.sort((a, b) => a.chance - b.chance);
}

/** The record of the release before may have been written by anybody. */
function isSound({ passed, trials }: PassedOf): boolean {
  return trials <= MOST_TRIALS && passed <= trials;
}

/** Scenarios have no more. */
const MOST_TRIALS = 2 ** 32;
