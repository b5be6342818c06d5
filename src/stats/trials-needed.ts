import { assertChance, assertRate } from './counts.ts';

/** What a gate must tell apart, and how often it may be wrong. */
export interface WantedErrors {
  /** A rate that should not pass, with the highest chance that it does. */
  readonly bad: number;
  /** Chance of passing at the bad rate. */
  readonly falsePass: number;
  /** A rate that should pass, with the highest chance that it does not. */
  readonly good: number;
  /** Chance of failing at the good rate. */
  readonly falseFail: number;
}

/** How many trials tell a bad rate from a good one. */
export interface TrialsNeeded {
  /** The fewest trials that keep both errors. */
  readonly trials: number;
  /** Chance that `bad` passes with that many trials. */
  readonly falsePass: number;
  /** Chance that `good` does not. */
  readonly falseFail: number;
  /**
   * Larger numbers that do not keep the errors, because chances rise and fall a little from one number to the next;
   * null: none up to `lookedTo`.
   */
  readonly lapses: TrialLapses | null;
  /** Every number up to here was looked at; `trials` itself where that would take long. */
  readonly lookedTo: number;
}

/** Numbers of trials that are larger than needed and yet not enough. */
export interface TrialLapses {
  /** Numbers of trials with too large an error. */
  readonly count: number;
  /** From the next number on, all that were looked at suffice. */
  readonly last: number;
  /** The one that misses most, and the chance of the error that it makes too often. */
  readonly worst: {
    /** The number with the largest one. */
    readonly trials: number;
    /** Which error that is. */
    readonly error: 'falsePass' | 'falseFail';
    /** How large it is. */
    readonly chance: number;
  };
}

/** Up to here each number of trials is tried in turn. */
const ONE_BY_ONE = 4096;
/** So many times the trials needed are looked at for numbers that do not suffice. */
const LOOKED_AT = 4;
const MOST_TRIALS = 2 ** 32;

/**
 * Trials with which both errors stay within what is wanted: the fewest up to 4,096; beyond, within 0.1 % of where more
 * trials begin to suffice (chances jump a little from one number to the next). Null when 2^32 do not.
 */
export function trialsNeeded(
  chanceToPass: (trials: number, rate: number) => number,
  { bad, falsePass, good, falseFail }: WantedErrors,
): TrialsNeeded | null {
  assertRate(bad);
  assertRate(good);
  assertChance('falsePass', falsePass);
  assertChance('falseFail', falseFail);
  const errorsAt = (trials: number): Errors => ({
    falsePass: chanceToPass(trials, bad),
    falseFail: 1 - chanceToPass(trials, good),
  });
  return trialsForErrors(errorsAt, { falsePass, falseFail });
}

/** Chances of the two wrong verdicts. */
export type Errors = Pick<WantedErrors, 'falsePass' | 'falseFail'>;

/** The same where the errors are those of a whole run, or of anything else that trials decide. */
export function trialsForErrors(errorsAt: (trials: number) => Errors, wanted: Errors): TrialsNeeded | null {
  const suffices = (trials: number): boolean => {
    const { falsePass, falseFail } = errorsAt(trials);
    return falsePass <= wanted.falsePass && falseFail <= wanted.falseFail;
  };
  const trials = fewest(suffices);
  if (trials === null) return null;
  const lookedTo = trials <= ONE_BY_ONE ? LOOKED_AT * trials : trials;
  return { trials, ...errorsAt(trials), lapses: lapsesBetween(trials, lookedTo, errorsAt, wanted), lookedTo };
}

function lapsesBetween(
  from: number,
  to: number,
  errorsAt: (trials: number) => Errors,
  wanted: Errors,
): TrialLapses | null {
  let lapses: TrialLapses | null = null;
  let furthest = 1;
  for (let trials = from + 1; trials <= to; trials++) {
    const errors = errorsAt(trials);
    const error = errors.falsePass / wanted.falsePass > errors.falseFail / wanted.falseFail ? 'falsePass' : 'falseFail';
    const chance = errors[error];
    const excess = chance / wanted[error];
    if (excess <= 1) continue;
    const isWorst = excess > furthest;
    furthest = Math.max(furthest, excess);
    const count: number = (lapses?.count ?? 0) + 1;
    lapses = { count, last: trials, worst: lapses !== null && !isWorst ? lapses.worst : { trials, error, chance } };
  }
  return lapses;
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
  assertChance('rate', rate);
  assertChance('confidence', confidence);
  return Math.ceil(Math.log(1 - confidence) / Math.log1p(-rate) - 1e-12);
}
