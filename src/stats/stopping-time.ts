import { binomialAtLeast, binomialBetween } from './binomial.ts';
import { assertChance, assertRate, assertWhole } from './counts.ts';
import { type Sprt, sprtDecision } from './sprt.ts';

export interface StoppingPlan {
  /** Planned. */
  readonly trials: number;
  /** True pass rate of every trial. */
  readonly rate: number;
  /** A stop is possible after so many trials, and after each further so many; 1 when absent. */
  readonly block?: number;
}

/**
 * Mean number of trials until `least` passes are reached or out of reach: r/p · P(B(n+1, p) > r) + s/q · P(B(n+1, q) > s)
 * with r = least and s = n − least + 1, the mean of the smaller of two negative binomial waits; in blocks, the sum over
 * blocks of the chance that they are begun. Exact; from 4,096 blocks on half a block is added instead.
 */
export function curtailedTrials({ trials, rate, block = 1 }: StoppingPlan, least: number): number {
  assertWhole('trials', trials, 1, 2 ** 32);
  assertWhole('block', block, 1, 2 ** 32);
  assertWhole('least', least, 0, trials + 1);
  assertRate(rate);
  if (least === 0 || least > trials) return Math.min(block, trials);
  const most = trials - least + 1;
  if (block > 1 && trials / block <= MOST_BLOCKS) {
    let sum = 0;
    for (let done = 0; done < trials; done += block) {
      sum += Math.min(block, trials - done) * binomialBetween(done, rate, done - most + 1, least - 1);
    }
    return sum;
  }
  const wait = (count: number, chance: number): number =>
    chance === 0 ? 0 : (count / chance) * binomialAtLeast(trials + 1, chance, count + 1);
  const mean = wait(least, rate) + wait(most, 1 - rate);
  return block === 1 ? mean : Math.min(trials, mean + block / 2);
}

const MOST_BLOCKS = 4096;

/** What a sequential test of so many trials comes to. */
export interface TestChances {
  readonly accept: number;
  readonly reject: number;
  /** Undecided after the last trial. */
  readonly open: number;
  readonly meanTrials: number;
}

/**
 * Chances of a sequential test and its mean number of trials, by going through all trials: exact but for what is less
 * likely than 1e-12. Wald's approximation (`sprt().meanTrials`) knows no end of trials and is about 15 % too low.
 */
export function testChances(test: Sprt, { trials, rate, block = 1 }: StoppingPlan): TestChances {
  assertWhole('trials', trials, 1, 2 ** 32);
  const chances = { accept: 0, reject: 0, open: 1, meanTrials: 0 };
  for (const look of looksOf(test, { trials, rate, block })) {
    chances.meanTrials += look.trials * (look.accept + look.reject);
    chances.accept += look.accept;
    chances.reject += look.reject;
    chances.open = look.open;
    if (look.open < NEGLIGIBLE) return chances;
  }
  chances.meanTrials += trials * chances.open;
  return chances;
}

/** The fewest trials with which the test is open at most so often; null when 2^20 are not enough. */
export function trialsToDecide(test: Sprt, plan: Omit<StoppingPlan, 'trials'>, open: number): number | null {
  assertChance('open', open);
  for (const look of looksOf(test, { block: 1, ...plan, trials: 2 ** 20 })) if (look.open <= open) return look.trials;
  return null;
}

const NEGLIGIBLE = 1e-12;

interface Look {
  readonly trials: number;
  /** Decided at this look. */
  readonly accept: number;
  readonly reject: number;
  /** Still open after it. */
  readonly open: number;
}

function* looksOf(test: Sprt, { trials, rate, block }: Required<StoppingPlan>): Generator<Look> {
  assertWhole('block', block, 1, 2 ** 32);
  assertRate(rate);
  // The chance of each number of failures that is not decided, from `first` on.
  let first = 0;
  let chances: number[] = [1];
  for (let ran = 1; ran <= trials; ran++) {
    chances.push(0);
    for (let i = chances.length - 1; i >= 0; i--) {
      const fewer = i === 0 ? 0 : (chances[i - 1] as number);
      chances[i] = (chances[i] as number) * rate + fewer * (1 - rate);
    }
    const isLook = ran % block === 0 || ran === trials;
    let [accept, reject, open] = [0, 0, 0];
    for (let i = 0; isLook && i < chances.length; i++) {
      const chance = chances[i] as number;
      const decision = sprtDecision(test, ran - first - i, first + i);
      if (decision === null) open += chance;
      else chances[i] = 0;
      if (decision === 'accept') accept += chance;
      if (decision === 'reject') reject += chance;
    }
    while (chances.length > 0 && (chances.at(-1) as number) < UNSEEN) chances.pop();
    const seen = chances.findIndex((chance) => chance >= UNSEEN);
    if (seen > 0) {
      chances = chances.slice(seen);
      first += seen;
    }
    if (isLook) yield { trials: ran, accept, reject, open };
    if (chances.length === 0) return;
  }
}

/** Far below what is told. */
const UNSEEN = 1e-18;
