import { expect, test } from 'vitest';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';
import { refuseHeuristic } from '../../src/release/refusals/refuse-heuristic.ts';
import { NOTHING_EXPECTED } from '../../src/scenario/bare-scenario.ts';
import { isJudged } from '../../src/types/judges/named-judges.ts';

test('the heuristic check of faithfulness decides in the lower tiers alone', async () => {
  await inReleaseFolder(async ({ run }) => {
    const faithful = { texts: ['left'], minClaims: 0 };
    const scenarios = [
      aCase('good', { ...REVIEWED, expected: { lastNode: 'done', faithful } }),
      aCase('attack', ATTACK),
    ];
    expect((await run({ scenarios, tier: 'dev' })).body.tier).toBe('dev');
    for (const tier of ['beta', 'production'] as const) {
      await expect(run({ scenarios, tier })).rejects.toMatchObject({
        code: 'USAGE',
        message: `Scenario "good" (<memory>) is judged by the heuristic check "faithful", which decides nothing in the tier ${tier}.`,
      });
    }
  });
});

test('no release takes what a judge verifies, in any tier', async () => {
  await inReleaseFolder(async ({ run }) => {
    const faithful = { judge: 'grounded', texts: ['left'] };
    const scenarios = [aCase('good', { ...REVIEWED, expected: { lastNode: 'done', faithful } })];
    for (const tier of ['dev', 'production'] as const) {
      await expect(run({ scenarios, tier })).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('Scenario "good" (<memory>) is judged by a model'),
      });
    }
  });
});

test('a record of a lower tier does not carry the heuristic into a release of an upper one', async () => {
  await inReleaseFolder(async ({ run }) => {
    const faithful = { texts: ['left'], minClaims: 0 };
    const guessed = aCase('good', { ...REVIEWED, expected: { lastNode: 'done', faithful } });
    const record = await run({ scenarios: [guessed], tier: 'dev', out: 'guessed.json' });
    expect(record.body.scenarios).toMatchObject([{ name: 'good', isHeuristic: true }]);
    const merging = { scenarios: [aCase('attack', ATTACK)], records: ['guessed.json'], out: 'release.json' };
    expect((await run({ ...merging, tier: 'dev' })).body.scenarios.map(({ isHeuristic }) => isHeuristic)).toContain(
      true,
    );
    await expect(run({ ...merging, tier: 'beta', out: 'beta.json' })).rejects.toMatchObject({
      code: 'INPUT',
      message:
        '"good" of the record guessed.json was judged by the heuristic check "faithful", which decides nothing in the tier beta.',
    });
  });
});

test('an invariant that guesses is refused as an expectation is, and one that a judge verifies is judged', () => {
  const contexts = { documents: false, tools: false, nodes: [], texts: ['It costs $5.'], user: false, minClaims: 1 };
  const scenario = (judge: { readonly judge?: string }) => {
    const rule = { type: 'faithful', ...contexts, ...judge } as const;
    const invariant = { id: 'prices', severity: 'high', when: 'always', negate: false, probes: [], rule } as const;
    return { name: 'Shop', file: 'shop.toml', expected: { ...NOTHING_EXPECTED, invariants: { list: [invariant] } } };
  };
  expect(() => refuseHeuristic([scenario({})], 'beta')).toThrow('the heuristic check "faithful"');
  expect(() => refuseHeuristic([scenario({})], 'internal')).not.toThrow();
  const verified = scenario({ judge: 'grounded' });
  expect(() => refuseHeuristic([verified], 'production')).not.toThrow();
  expect([isJudged(verified.expected), isJudged(scenario({}).expected)]).toEqual([true, false]);
});
