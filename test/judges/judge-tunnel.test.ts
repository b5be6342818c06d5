import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { diceOf } from '../../src/judges/tunnel/dice.ts';
import { ANSWER_FAULTS, answerText, PAIR_FAULTS } from '../../src/judges/tunnel/fake-judge.ts';
import { judgePairs } from '../../src/judges/tunnel/judge-pairs.ts';
import { judgeTunnel } from '../../src/judges/tunnel/judge-tunnel.ts';
import { parseProtocol } from '../../src/judges/tunnel/protocol.ts';
import { readPairVerdict } from '../../src/judges/read-pair-verdict.ts';
import type { JudgeTunnel, TunnelProtocol } from '../../src/types/judges/judge-tunnel.ts';

test('pairs that are all ties do not show that all pairs are', () => {
  const protocol = parseProtocol('plain');
  const ties = (pairs: number) =>
    judgePairs(PAIR_FAULTS, protocol, { pairs, dice: diceOf(1, 'ties'), answer: () => 'tie' });
  expect(ties(2)).toMatchObject({ rate: 0.5, ties: 2 });
  // Bonett and Price: 0.5 ± 1.959964·√((2/(n + 2))/(n + 2))/2.
  for (const [pairs, half] of [
    [2, 0.346476],
    [100, 0.013587],
  ] as const) {
    expect(ties(pairs).interval?.[0]).toBeCloseTo(0.5 - half, 6);
    expect(ties(pairs).interval?.[1]).toBeCloseTo(0.5 + half, 6);
  }
});

let tunnel: JudgeTunnel;
beforeAll(() => {
  tunnel = judgeTunnel({ trials: 40 });
}, 120_000);

function under(judge: string, name: string): TunnelProtocol {
  const found = tunnel.protocols.find((one) => one.judge === judge && one.name === name);
  if (found === undefined) throw new Error(`There is no "${name}" for "${judge}".`);
  return found;
}

const near = (value: number | null, wanted: number, tolerance: number): boolean =>
  value !== null && Math.abs(value - wanted) <= tolerance;

describe('with 2,000 pairs (release gate, 7.4)', () => {
  test('a protocol without swap takes the place for quality, one with swap does not', () => {
    const plain = under('position', 'unswapped');
    expect([plain.swap, near(plain.winRate, 0.731, 0.03), near(plain.firstShare, 0.731, 0.02)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(plain).toMatchObject({ truth: 0.5, coverage: 0, recovers: false });
    const swapped = under('position', 'swapped');
    const { wins, losses, ties } = swapped;
    expect([
      near(wins / 2000, 0.1966, 0.03),
      near(losses / 2000, 0.1966, 0.03),
      near(ties / 2000, 0.6068, 0.03),
    ]).toEqual([true, true, true]);
    expect(near(swapped.consistency, 0.393, 0.03)).toBe(true);
    expect(swapped).toMatchObject({ swap: true, truth: 0.5, recovers: true });
  });

  test('length is taken for quality until it is taken out', () => {
    expect(near(under('length', 'unswapped').winRate, 0.681, 0.03)).toBe(true);
    expect(under('length', 'swapped').recovers).toBe(false);
    const controlled = under('length', 'length-controlled');
    expect(near(controlled.winRate, 0.5, 0.06)).toBe(true);
    expect(controlled.recovers).toBe(true);
  });

  test('no protocol makes good what a judge has for a style or for its family', () => {
    const { wins, losses, ties } = under('style', 'swapped');
    expect([near(wins / 2000, 0.534, 0.03), near(losses / 2000, 0.072, 0.03), near(ties / 2000, 0.393, 0.03)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(near(wins / (wins + losses), 0.88, 0.03)).toBe(true);
    const recovered = tunnel.protocols.filter(({ judge, recovers }) => recovers && /style|family/.test(judge));
    expect(recovered).toEqual([]);
  });

  test('a rate is right once it is corrected by labels', () => {
    expect(under('lenient', 'uncorrected')).toMatchObject({ truth: 0.2, coverage: 0, recovers: false });
    expect(under('lenient', 'corrected').recovers).toBe(true);
    expect(under('lenient', 'prediction-powered').recovers).toBe(true);
  });

  test('a judge without faults is right under every protocol, and noise without a direction does no harm', () => {
    const missed = tunnel.protocols.filter(({ judge, recovers }) => !recovers && /fair|noise|garbled/.test(judge));
    expect(missed).toEqual([]);
  });

  test('answers that cannot be read are errors, and verdicts of nobody', () => {
    const { errors, wins, losses, ties } = under('garbled', 'unswapped');
    // A quarter is garbled, and of seven ways to garble five cannot be read.
    expect(near(errors / 2000, (0.25 * 5) / 7, 0.03)).toBe(true);
    expect(wins + losses + ties + errors).toBe(2000);
  });
});

test('of seven ways to garble an answer two are read, and never as the other verdict', () => {
  const plain = JSON.stringify({ mark: 'm', verdict: 'A' });
  const other = JSON.stringify({ mark: 'm', verdict: 'B' });
  const readings = ANSWER_FAULTS.map((fault) => readPairVerdict(answerText(fault, { plain, other }), 'm'));
  expect(readings.map((reading) => (reading.ok ? reading.verdict : reading.problem))).toEqual([
    'A',
    'A',
    'no_verdict',
    'contradictory',
    'unfinished',
    'no_verdict',
    'too_long',
  ]);
});

describe('a tunnel of one’s own', () => {
  test('the same seed gives the same document, another one another', () => {
    const options = { pairs: 50, trials: 3, seed: 7 };
    expect(judgeTunnel(options)).toEqual(judgeTunnel(options));
    expect(judgeTunnel({ ...options, seed: 8 }).protocols).not.toEqual(judgeTunnel(options).protocols);
  });

  test('has the biases and protocols that are named, and no others', () => {
    const { judges, protocols } = judgeTunnel({
      pairs: 400,
      trials: 20,
      bias: { position: 1.5, edge: 0.5 },
      protocols: ['plain', 'swap,repeats=3,ensemble=3'],
    });
    expect(judges).toMatchObject([{ name: 'own', judges: 'pairs', faults: { position: 1.5, edge: 0.5, length: 0 } }]);
    expect(protocols.map(({ name, swap, questions }) => [name, swap, questions])).toEqual([
      ['plain', false, 1],
      ['swap,repeats=3,ensemble=3', true, 18],
    ]);
    expect(protocols[0]?.truth).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 12);
  });

  test('truth is a mean over pairs where their quality varies', () => {
    const [found] = judgeTunnel({
      pairs: 5000,
      trials: 20,
      bias: { edge: 1, spread: 2 },
      protocols: ['plain'],
    }).protocols;
    expect(found?.truth).toBeCloseTo(0.6477, 3);
    expect(found?.recovers).toBe(true);
  });

  test('a judge that tells good answers from bad no better than a coin is corrected to nothing', () => {
    const [found] = judgeTunnel({
      pairs: 50,
      trials: 5,
      bias: { sensitivity: 0.2, specificity: 0.2 },
      protocols: ['correct'],
    }).protocols;
    expect(found).toMatchObject({ winRate: null, interval: null, coverage: 0, meanWidth: null, recovers: false });
  });

  test('a judge that nobody can read gives no rate', () => {
    const { protocols } = judgeTunnel({ pairs: 1, trials: 1, bias: { garbled: 1 }, seed: 1 });
    for (const { errors, winRate, coverage } of protocols)
      if (errors === 1) expect([winRate, coverage]).toEqual([null, 0]);
    expect(protocols.some(({ errors }) => errors === 1)).toBe(true);
  });

  test.each([
    [{ pairs: 0 }, '`pairs` must be a whole number from 1 to 100000, got 0.'],
    [{ trials: 1.5 }, '`trials` must be a whole number from 1 to 10000, got 1.5.'],
    [{ seed: -1 }, '`seed` must be a whole number from 0 to 9007199254740991, got -1.'],
    [{ pairs: 100_000, trials: 10_000 }, '100000 pairs in 10000 trials are too many: at most 20000000 in all.'],
    [{ bias: { positon: 1 } }, '"positon" is no fault of a judge.'],
    [{ bias: { noise: 2 } }, '"noise" must be a number from 0 to 1, not 2.'],
    [{ bias: { labels: 1.5 } }, '"labels" must be a number from 1 to 10000, not 1.5.'],
    [{ bias: { position: Number.NaN } }, '"position" must be a number from -20 to 20, not NaN.'],
    [
      { bias: { position: 1, sensitivity: 0.9 } },
      '"position" is a fault of judges that compare; others are of judges of single answers.',
    ],
    [{ protocols: ['swop'] }, '"swop" is no part of a protocol.'],
    [{ protocols: ['repeats=2'] }, '"repeats=2" is no part of a protocol.'],
    [{ protocols: ['swap=1'] }, '"swap=1" is no part of a protocol.'],
    [{ protocols: ['swap,correct'] }, 'The protocol "swap,correct" is both for pairs and for single answers.'],
    [{ bias: { position: 1 }, protocols: ['correct'] }, 'The protocol "correct" fits no judge here.'],
  ])('%j is refused', (options, message) => {
    expect(() => judgeTunnel(options)).toThrow(message);
  });

  test('law: any protocol is read or refused, and what is read says what it was', () => {
    const word = fc.constantFrom(
      'plain',
      'swap',
      'length',
      'correct',
      'predict',
      'repeats=3',
      'ensemble=5',
      'x',
      '',
      '=',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        try {
          const protocol = parseProtocol(words.join(','));
          expect(protocol.swap).toBe(words.includes('swap'));
          expect(protocol.repeats).toBe(words.includes('repeats=3') ? 3 : 1);
        } catch (error) {
          expect(error).toMatchObject({ code: 'USAGE' });
        }
      }),
    );
  });
});
