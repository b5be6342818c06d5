/** What a gate must tell apart, and how often it may be wrong. */
export interface WantedErrors {
  /** A rate that should not pass, with the highest chance that it does. */
  readonly bad: number;
  readonly falsePass: number;
  /** A rate that should pass, with the highest chance that it does not. */
  readonly good: number;
  readonly falseFail: number;
}

export interface TrialsNeeded {
  readonly trials: number;
  /** Chance that `bad` passes with that many trials. */
  readonly falsePass: number;
  /** Chance that `good` does not. */
  readonly falseFail: number;
}

/** Up to here each number of trials is tried in turn. */
const ONE_BY_ONE = 4096;
const MOST_TRIALS = 2 ** 32;

/**
 * Trials with which both errors stay within what is wanted: the fewest up to 4,096; beyond, within 0.1 % of where more
 * trials begin to suffice (chances jump a little from one number to the next). Null when 2^32 do not.
 */
export function trialsNeeded(
  chanceToPass: (trials: number, rate: number) => number,
  { bad, falsePass, good, falseFail }: WantedErrors,
): TrialsNeeded | null {
  const suffices = (trials: number): boolean =>
    chanceToPass(trials, bad) <= falsePass && 1 - chanceToPass(trials, good) <= falseFail;
  const found = fewest(suffices);
  if (found === null) return null;
  return { trials: found, falsePass: chanceToPass(found, bad), falseFail: 1 - chanceToPass(found, good) };
}

function fewest(suffices: (trials: number) => boolean): number | null {
  for (let trials = 1; trials <= ONE_BY_ONE; trials++) if (suffices(trials)) return trials;
  let enough = 2 * ONE_BY_ONE;
  while (!suffices(enough)) {
    enough *= 2;
    if (enough > MOST_TRIALS) return null;
  }
  let short = enough / 2;
  while (enough - short > enough / 1000) {
    const middle = Math.floor((short + enough) / 2);
    if (suffices(middle)) enough = middle;
    else short = middle;
  }
  return enough;
}

/** Trials that, all without an event, bound its rate below `rate`: ⌈ln(1 − confidence) / ln(1 − rate)⌉, one-sided. */
export function trialsWithoutEvent(rate: number, confidence = 0.95): number {
  if (!(rate > 0 && rate < 1 && confidence > 0 && confidence < 1)) {
    throw new RangeError(`Rate ${rate} at confidence ${confidence} is impossible: give numbers between 0 and 1.`);
  }
  return Math.ceil(Math.log(1 - confidence) / Math.log1p(-rate) - 1e-12);
}
