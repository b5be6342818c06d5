import { diceOf } from '../../../src/judges/tunnel/dice.ts';
import type { Evaluation } from '../../../src/judges/tunnel/evaluation.ts';
import { PAIR_FAULTS, type PairFaults } from '../../../src/judges/tunnel/fake-judge.ts';
import { judgePairs } from '../../../src/judges/tunnel/judge-pairs.ts';
import { parseProtocol } from '../../../src/judges/tunnel/protocol.ts';
import { correctedRate } from '../../../src/stats/judged/corrected-rate.ts';
import { familyBias } from '../../../src/stats/judged/family-bias.ts';
import { wilsonInterval } from '../../../src/stats/wilson.ts';
import type { Proof } from './proof.ts';

const PAIRS = 2000;
const SEED = 74;

function judged(faults: Partial<PairFaults>, protocol: string): Evaluation {
  const dice = diceOf(SEED, JSON.stringify(faults));
  return judgePairs({ ...PAIR_FAULTS, ...faults }, parseProtocol(protocol), { pairs: PAIRS, dice });
}

const near = (value: number | null, wanted: number, tolerance: number): boolean =>
  value !== null && Math.abs(value - wanted) <= tolerance;

const covers = (interval: readonly [number, number] | null | undefined, truth: number): boolean =>
  interval !== null && interval !== undefined && interval[0] <= truth && truth <= interval[1];

const position: Proof = {
  name: 'the place of an answer decides nothing',
  mitigation: 'both orders of each pair',
  holds: (isOn) => {
    const { wins, losses, ties, rate, firstShare } = judged({ position: 1 }, isOn ? 'swap' : 'plain');
    return (
      near(rate, 0.5, 0.03) &&
      near(firstShare, 0.731, 0.02) &&
      near(wins / PAIRS, 0.1966, 0.03) &&
      near(losses / PAIRS, 0.1966, 0.03) &&
      near(ties / PAIRS, 0.6068, 0.03)
    );
  },
};

const length: Proof = {
  name: 'length decides nothing',
  mitigation: 'the fit that takes length out',
  holds: (isOn) => near(judged({ length: 1.5, longer: 1 }, isOn ? 'length' : 'plain').rate, 0.5, 0.06),
};

/** A judge that is refused for its style, and one that is not. */
const style: Proof = {
  name: 'a judge that prefers a style is told from a coin',
  mitigation: 'the share of decisive verdicts that the styled answer has',
  holds: (isOn) => {
    const measure = ({ wins, losses }: Evaluation): number => (isOn ? wins / (wins + losses) : (wins + losses) / PAIRS);
    const biased = measure(judged({ style: 1, styled: 1 }, 'swap'));
    const fair = measure(judged({}, 'swap'));
    const isRefused = (value: number): boolean => Math.abs(value - 0.5) > 0.1;
    return isRefused(biased) && !isRefused(fair) && near(biased, 0.88, 0.03);
  },
};

/** One judge is lenient to all agents; another favours its own family. Each scores 400 tasks with eight trials. */
const lenient: Proof = {
  name: 'a judge that is lenient to all is not taken for one that favours its own',
  mitigation: 'the other family in the difference',
  holds: (isOn) => {
    const verdictOf = (bias: { readonly own: number; readonly all: number }): string | undefined => {
      const dice = diceOf(SEED, JSON.stringify(bias));
      const scored = (chance: number): number => Array.from({ length: 8 }, () => +dice.coin(chance)).reduce(sum) / 8;
      const tasks = Array.from({ length: 400 }, () => ({
        own: { byOwn: scored(0.5 + bias.own + bias.all), byOther: scored(0.5) },
        other: isOn ? { byOwn: scored(0.5 + bias.all), byOther: scored(0.5) } : { byOwn: 0, byOther: 0 },
      }));
      return familyBias(tasks, { seed: SEED, resamples: 1000 })?.verdict;
    };
    return verdictOf({ own: 0, all: 0.15 }) !== 'present' && verdictOf({ own: 0.15, all: 0 }) === 'present';
  },
};

const sum = (a: number, b: number): number => a + b;

/** 20,000 evaluations of 400 answers, by a judge of sensitivity 0.92 and specificity 0.85 with 50 and 40 labels. */
const accuracy: Proof = {
  name: 'an interval of 95 % covers the rate that people would find in 94 to 97 % of evaluations',
  mitigation: 'the correction by labels',
  holds: (isOn) =>
    [0.2, 0.5, 0.8].every((truth) => {
      const dice = diceOf(SEED, `accuracy/${truth}`);
      const flips = (times: number, chance: number): number => {
        let count = 0;
        for (let at = 0; at < times; at++) if (dice.coin(chance)) count++;
        return count;
      };
      let held = 0;
      for (let at = 0; at < EVALUATIONS; at++) {
        const run = { trials: 400, passed: flips(400, truth * 0.92 + (1 - truth) * 0.15) };
        const onPasses = { items: 50, agreed: flips(50, 0.92) };
        const onFailures = { items: 40, agreed: flips(40, 0.85) };
        const corrected = correctedRate({ judged: run, onPasses, onFailures })?.interval;
        if (covers(isOn ? corrected : wilsonInterval(run.trials, run.passed), truth)) held++;
      }
      return held / EVALUATIONS >= 0.94 && held / EVALUATIONS <= 0.97;
    }),
};

const EVALUATIONS = 20_000;

/** What judges prefer, and what they get wrong. */
export const biasProofs: readonly Proof[] = [position, length, lenient, style, accuracy];
