import type { LiveReport } from '../../types/reports/live-report.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { plural } from '../../text/format-number.ts';

/** Dollars with two decimals, or with two digits below ten cents. */
export function formatCost(usd: number): string {
  return usd > 0 && usd < 0.1 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

/** What may be more than a sum says, where a provider told nothing of `untold` requests: nothing told is not 0. */
export function toldText(sum: number, text: string, untold: number, what: string): string {
  if (untold === 0) return text;
  return sum === 0 ? `${what} not told` : `at least ${text}`;
}

/** What a reader must know before the numbers are trusted. */
export function unknownNotes({ stoppedBy, unknownUsage, models, costUsd }: LiveReport): readonly string[] {
  const unpriced = models.filter((model) => model.costUsd === null).length;
  return [
    ...(stoppedBy === 'budget' ? ['The budget was used up, so the run was stopped before its end.'] : []),
    ...(unknownUsage === 0
      ? []
      : [`The provider did not tell the tokens of ${plural(unknownUsage, 'request')}: all sums lack them.`]),
    ...(unpriced === 0 || costUsd === null
      ? []
      : [`The cost lacks ${plural(unpriced, 'row')} whose model has no price.`]),
  ];
}

/** Whether the same answers can be had again, and how. `isReused`: all of them are from the cache. */
export function repeatNote(cassette: SuiteReport['timing']['cassette'], isReused: boolean): string {
  if (cassette?.mode === 'replay') {
    return `All answers are from the cassette ${cassette.name}; calls and costs are those of its recording.`;
  }
  const note = isReused
    ? 'All answers are from the cache: the same command gets them again.'
    : 'Trials of real models are not repeatable: the same command gets other answers.';
  return cassette === undefined ? note : `${note} These are in the cassette ${cassette.name}, for --replay.`;
}
