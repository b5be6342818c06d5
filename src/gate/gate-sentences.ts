import { formatCount, plural } from '../text/format-number.ts';
import type { CountRange } from '../stats/curtailment.ts';
import type { WantedErrors } from '../stats/trials-needed.ts';
import type { Gate, GateChance, NeededTrials } from '../types/reports/gate.ts';
import { asksWhole, cellsText } from './gate-scope.ts';
import { chanceAtMost, chancePercent, ratePercent } from './gate-text.ts';

/** Which results pass. */
export function passingSentence(gate: Gate, range: CountRange | null, trials: number, judged: number): string {
  const { scope } = gate;
  const all =
    scope.kind === 'cells'
      ? `the ${plural(judged, 'trial')} of ${cellsText(scope.names)}`
      : `the suite's ${plural(judged, 'trial')}`;
  const whose = asksWhole(scope) ? all : plural(trials, 'trial');
  const of = `${gate.text}: of ${whose}`;
  if (gate.k !== null && gate.k > trials)
    return `${gate.text}: ${plural(trials, 'trial')} cannot tell; it needs ${gate.k}.`;
  if (range === null) return `${of}, no result passes; plan more trials.`;
  const [least, most] = range;
  if (least === 0 && most === judged) return `${of}, every result passes: this gate proves nothing.`;
  if (most === judged)
    return least === judged ? `${of}, all must pass.` : `${of}, at least ${formatCount(least)} must pass.`;
  if (least === 0) return `${of}, at most ${formatCount(most)} may pass.`;
  return least === most
    ? `${of}, exactly ${formatCount(least)} must pass.`
    : `${of}, ${formatCount(least)} to ${formatCount(most)} must pass.`;
}

/** How often several true pass rates pass the gate. */
export function characteristicSentences(
  gate: Gate,
  characteristic: readonly GateChance[],
  scenarios: number,
): readonly string[] {
  const [bad] = characteristic;
  const good = characteristic.at(-2);
  if (bad === undefined || good === undefined) return [];
  const [badRate, goodRate] = [ratePercent(bad.rate), ratePercent(good.rate)];
  const [badChance, goodChance] = [chancePercent(bad.chance), chancePercent(good.chance)];
  if (asksWhole(gate.scope)) {
    return [
      `${gate.scope.kind === 'suite' ? 'A suite whose scenarios' : 'Cells that'} each pass ${badRate} of trials ${gate.scope.kind === 'suite' ? 'passes' : 'pass'} this gate ${badChance} of the time; at ${goodRate}, ${goodChance}.`,
    ];
  }
  const one = `A true pass rate of ${badRate} passes this gate ${badChance} of the time; one of ${goodRate}, ${goodChance}.`;
  if (gate.scope.kind !== 'every' || scenarios < 2) return [one];
  const all = chancePercent(good.chance ** scenarios);
  return [one, `Where all ${formatCount(scenarios)} have ${goodRate}, all of them pass it ${all} of the time.`];
}

/** The trials that keep both errors. */
export function neededSentence(
  gate: Gate,
  { bad, falsePass, good, falseFail }: WantedErrors,
  needed: NeededTrials | null,
): string {
  const stopped = good === 1 ? 'always passes' : `is stopped ${chanceAtMost(falseFail)}`;
  const errors = `${ratePercent(bad)} passes ${chanceAtMost(falsePass)} of the time and ${ratePercent(good)} ${stopped}`;
  if (needed === null) return `With no number of trials ${errors}: choose rates further from the bar.`;
  const whose = gate.scope.kind === 'scenario' ? '' : ' of each';
  return `With ${plural(needed.trials, 'trial')}${whose}, ${errors}.${lapsesText(needed)}`;
}

/** Says that some larger numbers do not suffice: chances rise and fall a little with each trial. */
export function lapsesText({ lapses, lookedTo }: Pick<NeededTrials, 'lapses' | 'lookedTo'>): string {
  if (lapses === null) return '';
  const { count, last, worst } = lapses;
  const which = count === 1 ? formatCount(last) : `${formatCount(count)} numbers up to ${formatCount(last)}`;
  const misses = count === 1 ? 'misses' : 'miss';
  const how = `${count === 1 ? '' : `${formatCount(worst.trials)}: `}${chancePercent(worst.chance)}`;
  return ` More are not always as good: ${which} ${misses} it (${how}); from ${formatCount(last + 1)} to ${formatCount(lookedTo)} all keep it.`;
}
