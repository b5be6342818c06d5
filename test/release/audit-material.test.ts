import { describe, expect, test } from 'vitest';
import { explainRelease } from '../../src/release/explain/explain-release.ts';
import { runSuite } from '../../src/index.ts';
import { aLiveScenario } from '../suite/scenarios.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

const ATTACKED = aCase('attack', ATTACK);
/** Passes whatever the model says. */
const IDLE = aCase('idle', { ...REVIEWED, expected: { maxLlmCalls: 9 } });
const STRICT = { maxTrivial: 0.05 } as const;

describe('the audit before a release', () => {
  test('is told as evidence, and holds nothing against scenarios that ask for something', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run({ rules: STRICT });
      expect(body.verdict).toBe('pass');
      expect(body.audit).toMatchObject({ tasks: 1, gold: { tasks: 1, passed: 1 }, trivially: [], goldFails: [] });
      expect(body.axes.outcome.evidence).toContain(
        'audit before the run: subjects that can do nothing pass at most 0 of 1 scenario, gold answers pass 1 of 1',
      );
    });
  });

  test('looks at the scenarios that run, which are loaded once', async () => {
    let looks = 0;
    const counted = {
      ...aCase('good', REVIEWED),
      get description() {
        looks += 1;
        return 'Goes left.';
      },
    };
    await runSuite({ scenarios: [counted], workers: 0 });
    const once = looks;
    await inReleaseFolder(async ({ run }) => {
      expect((await run({ scenarios: [counted, ATTACKED] })).body.audit.tasks).toBe(1);
    });
    expect(looks).toBe(2 * once);
  });

  test('leaves out workflows that ask functions of the program, since it asks nobody', async () => {
    let asked = 0;
    const nodes = {
      look_up: {
        reads: ['keyFrom'],
        labels: ['found'],
        run: () => {
          asked += 1;
          return { output: { found: 'A' }, branch: 'found' };
        },
      },
    };
    await inReleaseFolder(async ({ run }) => {
      const scenarios = [aCase('good', REVIEWED), aLiveScenario({ ...REVIEWED, trials: 1 }), ATTACKED];
      const { body } = await run({ rules: STRICT, scenarios, nodes });
      expect(body.audit).toMatchObject({ tasks: 1, goldFails: [] });
      expect([body.scenarios.length, asked]).toEqual([3, 4]);
    });
  });

  test('makes outcome insufficient where doing nothing passes, and names the scenarios', async () => {
    await inReleaseFolder(async ({ run }) => {
      const result = await run({ rules: STRICT, scenarios: [aCase('good', REVIEWED), IDLE, ATTACKED] });
      const { outcome } = result.body.axes;
      expect([result.body.verdict, outcome.verdict]).toEqual(['insufficient', 'insufficient']);
      const codes = outcome.reasons.filter(({ verdict }) => verdict !== 'pass').map(({ code }) => code);
      expect(new Set(codes)).toEqual(new Set(['TRIVIAL']));
      expect(result.body.reasons[0]).toBe(
        'outcome: Whoever says nothing passes 1 of 2 scenarios; at most 5 % may be passed so (idle).',
      );
      expect(explainRelease(result).changes[0]).toMatchObject({
        code: 'TRIVIAL',
        change: 'Make idle ask for something that doing nothing does not give.',
        trials: 4,
      });
      // Whoever else passes it, it is run again once.
      const told = explainRelease(result).changes.filter(({ code }) => code === 'TRIVIAL');
      expect(told.reduce((sum, { trials }) => sum + (trials ?? 0), 0)).toBe(4);
    });
  });

  test('makes outcome insufficient where answers that are held to be right fail', async () => {
    await inReleaseFolder(async ({ run }) => {
      const scenarios = [aCase('good', REVIEWED), aCase('bad', { ...REVIEWED, minPassRate: 0 }, 'right'), ATTACKED];
      const { body } = await run({ rules: STRICT, scenarios });
      // A bar of 0 is reached by any answer, so the gold answers pass by it.
      expect(body.audit.goldFails).toEqual([]);
      const strict = await run({
        rules: STRICT,
        scenarios: [aCase('bad', REVIEWED, 'right'), ATTACKED],
        out: 'b.json',
      });
      expect(strict.body.axes.outcome.reasons.map(({ code }) => code)).toContain('GOLD_FAILS');
    });
  });

  test('is only told in tier dev, and leaves out attacks, which doing nothing resists', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run({ scenarios: [IDLE, ATTACKED] });
      expect(body.verdict).toBe('pass');
      expect(body.audit).toMatchObject({ tasks: 1, trivially: ['idle'] });
    });
  });
});
