import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packJudges, unpackJudges } from '../../../src/pool/tally/judge-codec.ts';
import { JudgeCounts } from '../../../src/trial/tally/judge-counts.ts';
import type { JudgeRuling } from '../../../src/types/judges/judge.ts';

const MODELS = [1, 3];

/** Rulings of both judges on one trial; null: an answer that could not be read. */
const trials = fc.array(
  fc.record({
    rulings: fc.tuple(
      ...MODELS.map((models) => fc.array(fc.option(fc.boolean()), { minLength: models * 2, maxLength: models * 2 })),
    ),
    failed: fc.option(fc.nat({ max: 3 })),
  }),
  { maxLength: 20 },
);

function rulingOf(said: readonly (boolean | null)[], judge: string): JudgeRuling {
  const votes = said.filter((one) => one !== null);
  const met = votes.filter((one) => one).length;
  return {
    judge,
    met: met * 2 > said.length ? true : (votes.length - met) * 2 > said.length ? false : null,
    problem: null,
    criteria: [],
    answers: said.map((one, at) => ({
      model: `model ${Math.floor(at / 2)}`,
      repeat: at % 2,
      problem: one === null ? 'unreadable' : null,
      verdicts: one === null ? [] : [{ criterion: 'c', met: one, reason: '' }],
    })),
  };
}

interface Trial {
  readonly rulings: readonly (readonly (boolean | null)[])[];
  readonly failed: number | null;
}

function counted(list: readonly Trial[]): JudgeCounts {
  const counts = new JudgeCounts(MODELS);
  for (const { rulings, failed } of list)
    counts.add(
      rulings.map((said, at) => rulingOf(said, `judge ${at}`)),
      failed,
    );
  return counts;
}

test('law: counts of judges are those of any split, before and after a journey as bytes', () => {
  fc.assert(
    fc.property(trials, fc.nat({ max: 20 }), (list, at) => {
      const merged = counted(list.slice(0, at));
      merged.merge(counted(list.slice(at)));
      const whole = counted(list);
      expect(merged).toEqual(whole);
      expect(unpackJudges(packJudges(whole), MODELS)).toEqual(whole);
      for (const judge of [0, 1]) {
        expect(whole.of(judge, 'met') + whole.of(judge, 'unmet') + whole.of(judge, 'errors')).toBe(list.length);
        expect(whole.of(judge, 'alone')).toBeLessThanOrEqual(whole.of(judge, 'unmet'));
        expect(whole.of(judge, 'flips') * 2).toBeLessThanOrEqual(whole.of(judge, 'answers'));
      }
    }),
  );
});

test('two models of an ensemble are counted against each other by what most of their answers say', () => {
  const counts = new JudgeCounts([3]);
  const passes = [true, true, true, true, false, false];
  counts.add([rulingOf(passes, 'j')], 0);
  counts.add([rulingOf([true, true, false, false, true, null], 'j')], 1);
  expect(counts.pairOf(0, 0, 1)).toEqual([1, 1, 0, 0]);
  expect(counts.pairOf(0, 0, 2)).toEqual([1, 1, 0, 0]);
  expect(counts.pairOf(0, 1, 2)).toEqual([0, 1, 1, 0]);
});

test('what is no list of these counts is refused', () => {
  expect(unpackJudges(null, null)).toBeNull();
  for (const value of [null, [], [[1], [2], [3]], 'x']) expect(() => unpackJudges(value, MODELS)).toThrow();
  expect(() => unpackJudges([[], []], null)).toThrow();
});
