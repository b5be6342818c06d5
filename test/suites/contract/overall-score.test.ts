import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overallScore } from '../../../src/suites/contract/overall-score.ts';
import type { Contract } from '../../../src/types/contract.ts';

const scoring = { mutation: 0.2, chaos: 0.35, contract: 0.35, replay: 0.1 };

function scored(phase: Contract['phase'], score: number | null, weights: Partial<Contract['scoring']> = {}) {
  return { report: { phase, score }, scoring: { ...scoring, ...weights } };
}

test('the weights of the phases that ran make up 1', () => {
  expect(
    overallScore([scored('contract', 42.86, { contract: 0.3 }), scored('chaos', 100, { chaos: 0.1 })], []),
  ).toEqual({
    score: expect.closeTo((0.4286 * 0.3 + 0.1) / 0.4, 12),
    phases: [
      { phase: 'chaos', score: 1, weight: 0.1, share: expect.closeTo(0.25, 12) },
      { phase: 'contract', score: 0.4286, weight: 0.3, share: expect.closeTo(0.75, 12) },
    ],
    notRun: [],
  });
});

test('a single phase is the overall score, whatever it weighs', () => {
  expect(overallScore([scored('contract', 80)], ['mutations: not run']).score).toBe(0.8);
  expect(overallScore([scored('contract', 80, { contract: 0 })], []).score).toBe(0.8);
});

test('what has no score takes no part', () => {
  expect(overallScore([scored('contract', null), scored('prompts', 50)], [])).toEqual({
    score: null,
    phases: [],
    notRun: [],
  });
});

test('several contracts of one phase count by their mean', () => {
  const { score, phases } = overallScore([scored('contract', 50), scored('contract', 100), scored('chaos', 0)], []);
  expect(score).toBe(0.375);
  expect(phases.map((one) => one.score)).toEqual([0, 0.75]);
});

test('it is from 0 to 1 and its shares make up 1', () => {
  const one = fc.record({
    report: fc.record({
      phase: fc.constantFrom('contract' as const, 'chaos' as const, 'prompts' as const),
      score: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    }),
    scoring: fc.record({
      mutation: fc.constant(0),
      chaos: fc.double({ min: 0, max: 1, noNaN: true }),
      contract: fc.double({ min: 0, max: 1, noNaN: true }),
      replay: fc.constant(0),
    }),
  });
  fc.assert(
    fc.property(fc.array(one), (contracts) => {
      const { score, phases } = overallScore(contracts, []);
      if (score === null) return phases.length === 0;
      const shares = phases.reduce((sum, { share }) => sum + share, 0);
      return score >= 0 && score <= 1 && Math.abs(shares - 1) < 1e-9;
    }),
  );
});
