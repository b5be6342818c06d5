import { describe, expect, test } from 'vitest';
import { parseCandidate } from '../../src/canary/assumed-candidates.ts';
import type { RehearseCanaryOptions } from '../../src/canary/canary-options.ts';
import { rehearseCanary } from '../../src/canary/rehearse-canary.ts';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { aFolderWith } from './a-canary.ts';

const STAGE = 'min_outcomes = 100\nmax_outcomes = 2000\nmin_pass_rate = 0.95\nmax_error_rate = 0.02\n';
const config = (percents: readonly number[], { top = '', stage = '' } = {}): string =>
  `candidate = "2"\ntier = "dev"\n${top}\n${percents.map((percent) => `[[stages]]\npercent = ${percent}\n${STAGE}${stage}`).join('\n')}`;

const rehearse = (text: string, options: Partial<RehearseCanaryOptions> = {}) =>
  rehearseCanary({ config: 'canary.toml', cwd: aFolderWith({ 'canary.toml': text }), rollouts: 100, ...options });

describe('a rehearsal', () => {
  test('plays the same rollouts for the same seed, whatever others are played', async () => {
    const text = config([0, 5, 100]);
    const one = await rehearse(text, { seed: 7 });
    expect(await rehearse(text, { seed: 7 })).toEqual(one);
    const alone = await rehearse(text, {
      seed: 7,
      baselinePassRate: one.baselinePassRate,
      candidates: one.candidates.slice(1, 2).map(({ assumed }) => assumed),
    });
    expect(alone.candidates).toEqual(one.candidates.slice(1, 2));
    expect((await rehearse(text, { seed: 8 })).candidates).not.toEqual(one.candidates);
  });

  test('releases what is good, takes back what is bad, and what is at the floor all but never gets through', async () => {
    const top = 'max_cost_per_outcome = 1';
    const { candidates } = await rehearse(config([5, 25, 100], { top, stage: 'max_cost_per_success = 0.1' }));
    expect(
      candidates.map(({ assumed, isBad, released, rolledBack }) => [
        assumed.name,
        isBad,
        released.rollouts > 95,
        released.rollouts + rolledBack.rollouts,
      ]),
    ).toEqual([
      ['good', false, true, 100],
      ['at the floor', true, false, 100],
      ['bad', true, false, 100],
      ['dear', true, false, 100],
      ['harmful', true, false, 100],
    ]);
    const [, atFloor, bad, dear] = candidates;
    expect(atFloor?.released.share).toBeLessThanOrEqual(0.05);
    expect(atFloor?.released.interval).toEqual(clopperPearsonInterval(100, atFloor?.released.rollouts ?? 0));
    expect(bad?.stages[0]).toMatchObject({
      percent: 5,
      reached: 100,
      reasons: { PASS_RATE: bad?.stages[0]?.rolledBack },
    });
    expect(dear?.stages[0]?.reasons).toEqual({ COST: 100 });
    for (const { stages, moments } of candidates) {
      expect(stages[1]?.reached).toBe(stages[0]?.promoted);
      expect((moments.at(-1)?.released ?? 0) + (moments.at(-1)?.rolledBack ?? 0)).toBeCloseTo(1, 12);
    }
  });

  test('exposes as many as chance says: harm that one in fifty does shows after fifty answers', async () => {
    const { candidates } = await rehearse(config([5]), {
      rollouts: 2000,
      candidates: [{ name: 'harmful', passRate: 0.96, violations: 0.02 }],
      requestsPerHour: 1000,
    });
    const { exposed, failed, hoursToRollback, rolledBack } = candidates[0] ?? {};
    expect(rolledBack?.share).toBeGreaterThan(0.99);
    // Geometric: the mean is one in the rate. Four intervals wide, so that no seed is lucky.
    const near = (value: number | undefined, mean: number) => Math.abs((value ?? 0) - mean) < 0.1 * mean;
    expect(near(exposed?.mean, 50)).toBe(true);
    expect(near(hoursToRollback?.mean, 50 / (0.05 * 1000))).toBe(true);
    expect(Math.abs((failed?.mean ?? 0) - 50 * 0.04)).toBeLessThan(0.3);
    const [low, high] = exposed?.interval ?? [0, 0];
    expect(low < (exposed?.mean ?? 0) && (exposed?.mean ?? 0) < high).toBe(true);
  });

  test('a shadow exposes nobody, and steps that are rare expose more', async () => {
    const bad = [{ name: 'bad', passRate: 0.8 }];
    const shadow = await rehearse(config([0, 100]), { candidates: bad });
    expect(shadow.candidates[0]).toMatchObject({ rolledBack: { share: 1 }, exposed: { mean: 0 }, failed: { mean: 0 } });
    const often = await rehearse(config([25]), { candidates: bad });
    const seldom = await rehearse(config([25]), { candidates: bad, stepHours: 4 });
    expect(seldom.candidates[0]?.hoursToRollback?.median).toBe(4);
    // Traffic goes on until the step: a quarter of 1,000 requests in each of four hours.
    expect(seldom.candidates[0]?.exposed.median).toBeGreaterThanOrEqual(999);
    expect(often.candidates[0]?.exposed.p95).toBeLessThan(300);
  });

  test('tells no interval of numbers that are all equal, which have no spread', async () => {
    const twice = await rehearse(config([5]), {
      rollouts: 2,
      candidates: [{ name: 'harmful', passRate: 0.9, violations: 1 }],
    });
    expect(twice.candidates[0]?.exposed).toEqual({ mean: 1, interval: null, median: 1, p95: 1 });
    expect(twice.candidates[0]?.hoursToRelease).toBeNull();
  });

  test('compares with the baseline, and says where a rollout cannot end well', async () => {
    const text = config([5], { top: 'baseline = "1"', stage: 'max_drop = 0.02' }).replace('= 0.95', '= 0.5');
    const { candidates } = await rehearse(text, {
      baselinePassRate: 0.99,
      rollouts: 40,
      candidates: [
        { name: 'equal', passRate: 0.99 },
        { name: 'worse', passRate: 0.9 },
      ],
    });
    expect(candidates.map(({ released, stages }) => [released.share, stages[0]?.reasons])).toEqual([
      [1, {}],
      [0, { DROP: 40 }],
    ]);
    // 72 hours of 1,000 requests are more than the most outcomes of the stage.
    const endless = await rehearse(config([100], { stage: 'min_hours = 72' }), { rollouts: 3 });
    expect(endless.candidates[0]).toMatchObject({ released: { share: 0 }, stages: [{ reasons: { MAX_HOLD: 3 } }] });
  });

  test('of numbers that cannot be, and of a tier whose stages are missing, is refused', async () => {
    const text = config([5]);
    const refused = async (options: Partial<RehearseCanaryOptions>, of = text) => {
      await expect(rehearse(of, options)).rejects.toMatchObject({ code: 'USAGE' });
    };
    await refused({ rollouts: 0 });
    await refused({ requestsPerHour: 0 });
    await refused({ stepHours: -1 });
    await refused({ baselinePassRate: 2 });
    await refused({ candidates: [] });
    await refused({ candidates: [{ name: 'x', passRate: 1.5 }] });
    await refused({ candidates: [{ name: 'x', passRate: 0.9, errors: 1 }] });
    await refused({}, text.replace('"dev"', '"production"'));
  });
});

test.each([
  ['worse=0.93', { name: 'worse', passRate: 0.93 }],
  ['a b=0.9, cost=0.04, violations=1e-3', { name: 'a b', passRate: 0.9, costUsd: 0.04, violations: 0.001 }],
  ['x=0.9,slow=0.1,errors=0.01', { name: 'x', passRate: 0.9, slow: 0.1, errors: 0.01 }],
])('"%s" is a candidate', (word, candidate) => {
  expect(parseCandidate(word)).toEqual(candidate);
});

test.each([
  ['worse', /^"worse" is no candidate\.$/],
  ['worse=much', /is no candidate/],
  ['worse=0.9,cots=1', /^"cots=1" says nothing of a candidate\.$/],
  ['worse=0.9,cost=', /says nothing of a candidate/],
])('"%s" is none', (word, message) => {
  expect(() => parseCandidate(word)).toThrow(message);
});
