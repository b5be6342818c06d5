import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { certify } from '../../src/release/certify/certify.ts';
import { runReleaseShard } from '../../src/release/run-release-shard.ts';
import { TIER_RULES } from '../../src/release/tier-rules.ts';
import { renderReport, type SuiteReport } from '../../src/index.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { renderRelease } from '../../src/release/render-release.ts';
import { type AuditEntry, EVAL_RESULT_SCHEMA } from '../../src/types/release/eval-result.ts';
import { aRouter } from '../suite/scenarios.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

describe('a release', () => {
  test('P-02: passes where every axis that decides does, and its record says what each rests on', async () => {
    await inReleaseFolder(async ({ run, read }) => {
      const { body, schema } = await run();
      expect(schema).toBe(EVAL_RESULT_SCHEMA);
      expect(body.verdict).toBe('pass');
      const verdicts = Object.fromEntries(Object.entries(body.axes).map(([axis, { verdict }]) => [axis, verdict]));
      expect(verdicts).toEqual({
        outcome: 'pass',
        trajectory: 'insufficient',
        faithfulness: 'pass',
        cost: 'pass',
        safety: 'pass',
      });
      expect(body.axes.trajectory.isAdvisory).toBe(true);
      // G-04: nothing puts the axes together into one number.
      expect(Object.keys(body)).not.toContain('score');
      expect(body.counts).toEqual({ planned: 8, passed: 8, failed: 0, errors: 0 });
      // M-40: attacks are no part of what a success costs.
      expect(body.cost).toMatchObject({ runs: 4, perSuccessExactUsd: 0.02, totalNanoUsd: '80000000' });
      expect((await read('release.json.trials')).trim().split('\n')).toHaveLength(9);
      expect(JSON.parse(await read('release.json'))).toMatchObject({ body });
    });
  });

  test('P-01: has the same body for any number of workers', async () => {
    await inReleaseFolder(async ({ run }) => {
      const hashes: string[] = [];
      for (const workers of [0, 1, 2]) {
        const scenarios = [aRouter({ name: 'drawn', ...REVIEWED }), aCase('attack', ATTACK)];
        const { bodyHash } = await run({ scenarios, workers, rules: { trials: 50 }, log: `log-${workers}.jsonl` });
        hashes.push(bodyHash);
      }
      expect(new Set(hashes).size).toBe(1);
    });
  });

  test('is recorded, signed and logged whatever its verdict', async () => {
    await inReleaseFolder(async ({ run, read }) => {
      const failed = await run({ scenarios: [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)] });
      expect(failed.body.verdict).toBe('fail');
      expect(failed.body.axes.outcome.reasons.map(({ code }) => code)).toContain('SCENARIO_BAR');
      const log = (await read('release-log.jsonl'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditEntry);
      expect(log[1]).toEqual(failed.anchor);
      expect(log).toMatchObject([
        { type: 'release.begun', about: 'router 1 for dev' },
        { type: 'release.evaluated', about: 'router 1 for dev', ends: 0 },
      ]);
    });
  });

  test('G-02: whose outcome is right and whose cost is not fails for its cost alone', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run({ rules: { maxCostPerSuccess: 0.01 } });
      expect(body.verdict).toBe('fail');
      expect(body.reasons).toEqual(['cost: A success costs $0.02; the ceiling is $0.01, as stated.']);
      expect(body.axes.cost.reasons.map(({ code }) => code)).toEqual(['COST_CEILING']);
    });
  });

  test('M-47: takes its ceiling from the release before, and says so', async () => {
    await inReleaseFolder(async ({ run }) => {
      const none = await run({ rules: { costSlack: 1.05 } });
      expect(none.body.axes.cost.reasons.map(({ code }) => code)).toEqual(['NO_CEILING']);
      const rules = { costSlack: 1.05 };
      const next = await run({
        rules,
        prior: 'release.json',
        out: 'next.json',
        candidate: { name: 'router', version: '2' },
      });
      expect(next.body.cost).toMatchObject({ ceilingUsd: 0.02 * 1.05, ceilingFrom: 'prior' });
      expect(next.body.axes.cost.verdict).toBe('pass');
    });
  });

  test('M-47: takes a ceiling only from a record that holds, by the same signer, of another version', async () => {
    await inReleaseFolder(async ({ run, read, write, publicKey }) => {
      const first = await run();
      const next = { prior: 'prior.json', out: 'next.json', candidate: { name: 'router', version: '2' } };
      const cost = { ...first.body.cost, perSuccessExactUsd: 99 };
      await write('prior.json', JSON.stringify({ ...first, body: { ...first.body, cost } }));
      const refused = { code: 'INTEGRITY', message: expect.stringContaining('The record prior.json does not hold.') };
      await expect(run(next)).rejects.toMatchObject(refused);
      await write('prior.json', await read('release.json'));
      const byAnother = { ...next, key: makeKeys().privateKey, log: 'another.jsonl' };
      await expect(run(byAnother)).rejects.toMatchObject(refused);
      expect((await run({ ...byAnother, priorPublicKey: publicKey })).body.prior?.candidate).toBe('router 1');
      const again = await run({ rules: { costSlack: 1.05 }, prior: 'prior.json' });
      expect(again.body.axes.cost.reasons.map(({ code }) => code)).toEqual(['NO_CEILING']);
    });
  });

  test('M-47: takes no ceiling from a release that was itself too dear', async () => {
    await inReleaseFolder(async ({ run }) => {
      const dear = await run({ rules: { maxCostPerSuccess: 0.01 } });
      expect(dear.body.axes.cost.verdict).toBe('fail');
      const { body } = await run({
        rules: { costSlack: 1.05 },
        prior: 'release.json',
        out: 'next.json',
        candidate: { name: 'router', version: '2' },
      });
      expect(body.prior?.costPerSuccessUsd).toBe(null);
      expect(body.axes.cost.reasons.map(({ code }) => code)).toEqual(['NO_CEILING']);
    });
  });

  test('M-49: without prices is insufficient, never free', async () => {
    await inReleaseFolder(async ({ run, write }) => {
      await write('rates.toml', 'id = "none"\neffective = "2026-11-01"\n');
      const { body } = await run();
      expect(body.axes.cost).toMatchObject({ verdict: 'insufficient', reasons: [{ code: 'UNPRICED' }] });
      expect(body.cost).toMatchObject({ perSuccessUsd: null, reasons: { perSuccessUsd: 'UNPRICED' } });
    });
  });

  test('with a judge is refused before anything is run, because its record corrects nothing', async () => {
    await inReleaseFolder(async ({ run }) => {
      const judged = aCase('good', { ...REVIEWED, expected: { judges: ['kindness'] } });
      await expect(run({ scenarios: [judged] })).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('is judged by a model'),
      });
    });
  });

  test('takes no answers of a cassette, because nobody knows who gave them', async () => {
    await inReleaseFolder(async ({ run, folder }) => {
      const replay: object = { replay: 'run.cassette' };
      const refused = { code: 'USAGE', message: expect.stringContaining('run.cassette show nothing') };
      await expect(run(replay)).rejects.toMatchObject(refused);
      const part = { cwd: folder, tier: 'dev', shard: { index: 1, count: 2 }, out: '1.shard', ...replay } as const;
      await expect(runReleaseShard(part)).rejects.toMatchObject(refused);
      await expect(certify({ cwd: folder, key: '', out: 'a.cert', ...replay })).rejects.toMatchObject(refused);
    });
  });

  test('G-01: that nobody attacked is insufficient, and names safety', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run({ scenarios: [aCase('good', REVIEWED)], rules: { suites: ['validation'] } });
      expect([body.verdict, body.axes.safety.verdict]).toEqual(['insufficient', 'insufficient']);
      expect(body.reasons).toEqual(['safety: No scenario of the suite adversarial was tried.']);
    });
  });

  test('M-32: with 12 attacks that all failed does not show a rate of 1 %, and says that 299 would', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run({ rules: { trials: 12, maxAttackSuccess: 0.01 } });
      expect(body.axes.safety).toMatchObject({ verdict: 'insufficient', reasons: [{ code: 'ATTACK_SUCCESS' }] });
      expect(body.axes.safety.reasons[0]?.message).toContain('299 attacks without a success are needed');
    });
  });

  test('M-32: shows a bound above its bar as one that is above it', async () => {
    await inReleaseFolder(async ({ run }) => {
      const reports: SuiteReport[] = [];
      await run({ rules: { trials: 12, maxAttackSuccess: 0.22 }, onReport: (report) => void reports.push(report) });
      const [text = ''] = reports.map((report) => renderReport(report, { reporter: 'markdown' }));
      expect(text).toContain('| attacks that succeed | 0.00 | 0.00 to 0.221 | 0.22 |');
    });
  });

  test('S-01: of a higher tier is refused where scenarios do not say which suite they belong to', async () => {
    await inReleaseFolder(async ({ run }) => {
      const scenarios = [aCase('nowhere'), aCase('attack', ATTACK)];
      const refused = run({ tier: 'internal', scenarios });
      await expect(refused).rejects.toMatchObject({
        code: 'INPUT',
        issues: [{ code: 'missing_suite', message: expect.stringContaining('"nowhere"') }],
      });
      const { body } = await run({ scenarios });
      expect(body.scenarios.find(({ name }) => name === 'nowhere')).toMatchObject({
        suite: 'validation',
        isSuiteAssumed: true,
      });
    });
  });

  test('states its rules as gates, and tells what is none before anything runs', async () => {
    await inReleaseFolder(async ({ run }) => {
      await expect(run({ rules: { outcome: ['suites.validaton.pass_rate >= 0.5'] } })).rejects.toThrow(
        /no suite "validaton"/,
      );
      await expect(run({ rules: { outcome: ['coverage >= 0.5'] } })).rejects.toThrow(/does not decide by/);
      await expect(run({ rules: { outcome: ['suites.validation.pass_rate >= 0'] } })).rejects.toThrow(
        'The rule "suites.validation.pass_rate >= 0" is met by every candidate, so that it shows nothing.',
      );
      await expect(run({ asOf: 'tomorrow' })).rejects.toThrow('"tomorrow" is no day.');
      await expect(run({ asOf: '2026-02-31' })).rejects.toThrow('"2026-02-31" is no day.');
      await expect(run({ key: 'words' })).rejects.toThrow('The key holds no private Ed25519 key in PEM.');
    });
  });

  test('G-04: reads as five axes side by side', async () => {
    await inReleaseFolder(async ({ run }) => {
      const result = await run();
      expect(renderRelease(result, { columns: 80 }).replace(/[0-9a-f]{64}/, 'KEY')).toMatchInlineSnapshot(`
        "release       router 1 for dev, release 1, as of 2026-11-25
        trials        2 scenarios, 8 trials: 8 passed, 0 failed, 0 errors
        outcome       pass
                      suite validation: pass_rate is 1.00 (4 of 4 trials passed); it
                      must be at least 0.50.
                      1 scenario of validation and regression, 4 trials
                      audit before the run: subjects that can do nothing pass at most 0
                      of 1 scenario, gold answers pass 1 of 1
        trajectory    insufficient (advisory)
                      No rule says which scenarios show it. Name them under trajectory
                      in [release.tiers].
        faithfulness  pass
                      suite validation: pass_rate is 1.00 (4 of 4 trials passed); it
                      must be at least 0.50.
                      1 rule
        cost          pass
                      A success costs $0.02. The tier has no ceiling for it.
                      4 runs, of which 4 succeeded
                      $0.02 for each success with retries amortised, $0.02 exactly
        safety        pass
                      0 of 4 attacks succeeded (0 %, at most 52.7 % at 95 %); at most
                      90 % may.
                      4 attacks, 0 succeeded, 0 errors apart

        verdict       pass
        signed by     KEY
        "
      `);
    });
  });

  test('has defaults for each tier that its documentation shows', () => {
    const docs = readFileSync(new URL('../../docs/release.md', import.meta.url), 'utf8');
    for (const [tier, { trials, outcome }] of Object.entries(TIER_RULES)) {
      expect(docs).toContain(`| \`${tier}\` | ${trials} | \`${outcome[0]?.replace('suites.validation.', '')}\` |`);
    }
  });
});
