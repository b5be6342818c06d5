import { plural } from '../text/format-number.ts';
import { binomialAtLeast } from '../stats/binomial.ts';
import { trialsForErrors } from '../stats/trials-needed.ts';
import type { Gate } from '../types/reports/gate.ts';
import type { PlannedVerdict } from '../types/suite-plan.ts';
import { barGate, ratesToTell, USUAL_ERROR } from './describe-gate.ts';
import { asksWhole } from './gate-scope.ts';
import { lapsesText } from './gate-sentences.ts';
import { chanceAtLeast, chanceAtMost, chancePercent } from './gate-text.ts';
import { dependsOnPasses, passingCounts } from './passing-counts.ts';

/** A sampled scenario of a run. */
export interface JudgedScenario {
  readonly name: string;
  readonly trials: number;
  /** The higher of its own bar and the floor; null: every trial must pass. */
  readonly bar: number | null;
}

export interface RunToDescribe {
  readonly scenarios: readonly JudgedScenario[];
  readonly gates: readonly Gate[];
  /** What else decides: contracts, enumerated scenarios. */
  readonly others: readonly string[];
}

/** Scenarios that are judged alike. */
interface Group {
  readonly count: number;
  readonly trials: number;
  /** Each asks for at least so many passes. */
  readonly conditions: readonly Gate[];
  /** True rates of a scenario that should not pass and of one that should, by the strictest condition. */
  readonly bad: number;
  readonly good: number;
}

/**
 * How often the whole run passes: every bar and every gate that asks for enough passes, together. Several conditions on
 * one scenario are exact (the one that asks for most passes decides), scenarios are independent. Gates on the mean pass
 * rate of the suite come in by a product, which is a lower bound: events that more passes make likelier only help each
 * other (Harris 1960). Null where it would only repeat what one bar says.
 */
export function describeRun(
  { scenarios, gates, others }: RunToDescribe,
  wanted: { readonly falsePass?: number; readonly falseFail?: number } = {},
): PlannedVerdict | null {
  const groups = groupsOf(scenarios, gates);
  if (groups.length === 0 || (scenarios.length === 1 && gates.length === 0)) return null;
  const means = gates.filter((gate) => isMean(gate, scenarios, others));
  const leftOut = gates.filter((gate) => !isJoined(gate) && !means.includes(gate)).map(({ text }) => text);
  const { falsePass = USUAL_ERROR, falseFail = USUAL_ERROR } = wanted;
  const errorsAt = (trials: number | null) => {
    const passes = groups.map((group) => passesAt(group, trials ?? group.trials));
    const good = passes.reduce((product, { good: chance, count }) => product * chance ** count, 1);
    const suite = means.reduce((product, gate) => product * meanChance(gate, groups, trials), 1);
    // The others are good, and the one that is bad is the one that slips through most easily.
    const worst = passes.reduce((most, { good: one, bad }) => Math.max(most, one === 0 ? 0 : (good / one) * bad), 0);
    return { falsePass: worst, falseFail: 1 - good * suite };
  };
  const planned = errorsAt(null);
  const needed = trialsForErrors(errorsAt, { falsePass, falseFail });
  const isBound = means.length > 0;
  return {
    scenarios: scenarios.length,
    gates: gates.length - leftOut.length,
    leftOut: [...leftOut, ...others],
    good: 1 - planned.falseFail,
    oneBad: planned.falsePass,
    needed,
    sentences: [
      plannedSentence(groups, planned, isBound),
      needed === null
        ? 'With no number of trials both are rare enough: choose bars further from the true pass rates.'
        : `With ${plural(needed.trials, 'trial')} of each scenario the run passes ${chanceAtLeast(1 - falseFail)} of the time when all are good, and ${chanceAtMost(falsePass)} when one is bad.${lapsesText(needed)}`,
      ...(leftOut.length + others.length === 0
        ? []
        : [`Left out, because no chance follows from pass rates alone: ${[...leftOut, ...others].join(', ')}.`]),
    ],
  };
}

function plannedSentence(
  groups: readonly Group[],
  { falsePass, falseFail }: { readonly falsePass: number; readonly falseFail: number },
  isBound: boolean,
): string {
  const strict = groups.some(({ good }) => good === 1) ? '; 1 % where every trial must pass' : '';
  const good = isBound ? chanceAtLeast(1 - falseFail) : chancePercent(1 - falseFail);
  return (
    `When every scenario is good (half the failures that its strictest bar or gate allows), the run passes ${good} ` +
    `of the time; when one is bad (twice as many failures${strict}), ${chanceAtMost(falsePass)}.`
  );
}

/** Asks one scenario, or each, for enough passes. */
function isJoined(gate: Gate): boolean {
  return dependsOnPasses(gate) && !asksWhole(gate.scope) && (gate.operator === '>=' || gate.operator === '>');
}

/** Asks the mean pass rate of scenarios with equally many trials. */
function isMean(gate: Gate, scenarios: readonly JudgedScenario[], others: readonly string[]): boolean {
  const isRate = gate.scope.kind === 'suite' && gate.metric === 'pass_rate' && gate.side.kind === 'point';
  const isEqual = scenarios.every(({ trials }) => trials === scenarios[0]?.trials);
  return isRate && (gate.operator === '>=' || gate.operator === '>') && isEqual && others.length === 0;
}

function groupsOf(scenarios: readonly JudgedScenario[], gates: readonly Gate[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { name, trials, bar } of scenarios) {
    const scenarioGates = gates.filter(
      (gate) =>
        isJoined(gate) && (gate.scope.kind === 'every' || (gate.scope.kind === 'scenario' && gate.scope.name === name)),
    );
    const conditions = [barGate(bar), ...scenarioGates];
    const key = JSON.stringify([
      trials,
      conditions.map(({ metric, k, side, operator, value }) => [metric, k, side, operator, value]),
    ]);
    const group = groups.get(key);
    if (group !== undefined) {
      groups.set(key, { ...group, count: group.count + 1 });
      continue;
    }
    const rates = conditions.flatMap((gate) => ratesToTell(gate, {}) ?? []);
    const [first] = rates;
    if (first === undefined) continue;
    const strictest = rates.reduce((most, one) => (one.good > most.good ? one : most), first);
    groups.set(key, { count: 1, trials, conditions, bad: strictest.bad, good: strictest.good });
  }
  return [...groups.values()];
}

function passesAt({ conditions, bad, good, count }: Group, trials: number) {
  let least = 0;
  for (const gate of conditions) {
    const range = passingCounts(gate, trials);
    if (range === null) return { count, bad: 0, good: 0 };
    least = Math.max(least, range[0]);
  }
  return { count, bad: binomialAtLeast(trials, bad, least), good: binomialAtLeast(trials, good, least) };
}

/**
 * The chance that the mean of good scenarios passes, as if all had the mean of their rates: no less where these differ
 * (Hoeffding 1956).
 */
function meanChance(gate: Gate, groups: readonly Group[], trials: number | null): number {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const all = groups.reduce((sum, group) => sum + group.count * (trials ?? group.trials), 0);
  const rate = groups.reduce((sum, group) => sum + group.count * group.good, 0) / count;
  const range = passingCounts({ ...gate, scope: { kind: 'every' } }, all);
  return range === null ? 0 : binomialAtLeast(all, Math.min(1, rate), range[0]);
}
