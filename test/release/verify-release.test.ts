import { describe, expect, test } from 'vitest';
import { renderVerification } from '../../src/release/render-release.ts';
import { GENESIS, nextEntry } from '../../src/release/audit-log.ts';
import { beginInLog, logText } from '../../src/release/sound-log.ts';
import { bodyHash, signBody } from '../../src/release/sign-record.ts';
import { makeKeys, readPrivateKey } from '../../src/release/signing-keys.ts';
import { type Verification, type VerifyReleaseOptions, verifyRelease } from '../../src/release/verify-release.ts';
import type { EvalBody } from '../../src/types/release/eval-body.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { aCase, ATTACK, inReleaseFolder, type ReleaseFolder, REVIEWED } from './a-release.ts';

/** What does not hold, by code. */
const broken = ({ checks }: Verification): readonly string[] =>
  checks.filter(({ holds }) => !holds).map(({ code }) => code);

function verify({ folder }: ReleaseFolder, options: Partial<VerifyReleaseOptions> = {}): Promise<Verification> {
  return verifyRelease({ record: 'release.json', cwd: folder, ...options });
}

/** The record in the folder with another body, signed with this key or not at all. */
async function rewrite(
  folder: ReleaseFolder,
  change: (body: EvalBody) => EvalBody,
  privateKey?: string,
): Promise<void> {
  const result = JSON.parse(await folder.read('release.json')) as EvalResult;
  const body = change(result.body);
  const hash = bodyHash(body);
  const signed =
    privateKey === undefined ? {} : { bodyHash: hash, signature: signBody(hash, readPrivateKey(privateKey, 'it')) };
  await folder.write('release.json', JSON.stringify({ ...result, body, ...signed }));
  if (privateKey === undefined) return;
  // Whoever signs again also makes the trials fit.
  const trials = await folder.read('release.json.trials');
  await folder.write('release.json.trials', trials.replace(result.bodyHash, hash));
}

const cheaper = (body: EvalBody): EvalBody => ({ ...body, cost: { ...body.cost, perSuccessExactUsd: 0.001 } });

describe('verifying a record', () => {
  test('refuses a file in which a key stands twice: who takes the first of both reads another record', async () => {
    await inReleaseFolder(async (folder) => {
      const { body } = await folder.run();
      for (const file of ['release.json', 'release.json.trials', 'release-log.jsonl']) {
        const text = await folder.read(file);
        await folder.write(file, text.replace('{', `{"schema":"x","bodyHash":"${body.trialsRoot}","about":"y",`));
        await expect(verify(folder, { log: 'release-log.jsonl' }), file).rejects.toMatchObject({
          code: 'INPUT',
          message: expect.stringMatching(/has the key "\w+" twice/),
        });
        await folder.write(file, text);
      }
      expect((await verify(folder, { log: 'release-log.jsonl' })).holds).toBe(true);
    });
  });

  test('says what the verdict is about, and asks for a key only where none was given', async () => {
    await inReleaseFolder(async (folder) => {
      const { anchor } = await folder.run();
      const text = async (options: Partial<VerifyReleaseOptions>) =>
        renderVerification(await verify(folder, options)).replaceAll(/\s+/g, ' ');
      const signed = `signed on ${anchor.at.slice(0, 10)}`;
      expect(await text({})).toContain(
        `holds; its verdict is pass, for router 1 in tier dev; it counts days from 2026-11-25, and was ${signed} `,
      );
      const asked = 'give --public-key';
      const { publicKey } = makeKeys();
      expect([(await text({})).includes(asked), (await text({ publicKey })).includes(asked)]).toEqual([true, false]);
    });
  });

  test('holds as it was written, by whoever signed it', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run();
      const plain = await verify(folder);
      expect([plain.holds, plain.isSignerVerified]).toEqual([true, false]);
      const whole = await verify(folder, {
        publicKey: folder.publicKey,
        recompute: true,
        log: 'release-log.jsonl',
      });
      expect([whole.holds, whole.isSignerVerified]).toEqual([true, true]);
      expect(whole.checks.map(({ code }) => code)).toEqual([
        'BODY_HASH',
        'SIGNATURE',
        'SIGNER',
        'ANCHOR',
        'LOG',
        'TRIALS',
        'METRICS',
      ]);
    });
  });

  test('finds a number that was changed', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run();
      await rewrite(folder, cheaper);
      expect(broken(await verify(folder))).toEqual(['BODY_HASH', 'SIGNATURE']);
    });
  });

  test('M-46: finds a number that was changed and signed again with the right key', async () => {
    await inReleaseFolder(async (folder) => {
      const { privateKey } = makeKeys();
      await folder.run({ key: privateKey });
      await rewrite(folder, cheaper, privateKey);
      const verification = await verify(folder, { recompute: true });
      expect(broken(verification)).toEqual(['ANCHOR', 'METRICS']);
      expect(verification.checks.at(-1)?.message).toBe(
        'METRIC_MISMATCH: cost.perSuccessExactUsd is 0.001 in the record; the trials give 0.02.',
      );
    });
  });

  test('finds a verdict that was changed and signed again', async () => {
    await inReleaseFolder(async (folder) => {
      const { privateKey } = makeKeys();
      await folder.run({ key: privateKey, scenarios: [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)] });
      await rewrite(folder, (body) => ({ ...body, verdict: 'pass', reasons: [] }), privateKey);
      expect(broken(await verify(folder, { recompute: true }))).toContain('METRICS');
    });
  });

  test('tells another signer apart, where it is said who it must be', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run();
      const forger = makeKeys();
      await rewrite(folder, cheaper, forger.privateKey);
      expect(broken(await verify(folder, { publicKey: folder.publicKey }))).toContain('SIGNER');
    });
  });

  test('finds trials of another candidate', async () => {
    await inReleaseFolder(async (folder) => {
      const { bodyHash: first } = await folder.run();
      const other = await folder.run({
        out: 'other.json',
        scenarios: [aCase('other', REVIEWED), aCase('attack', ATTACK)],
      });
      const options = { trials: 'other.json.trials' };
      expect(broken(await verify(folder, options))).toEqual(['TRIALS']);
      // Also where their head was made to fit.
      await folder.write('other.json.trials', (await folder.read('other.json.trials')).replace(other.bodyHash, first));
      const verification = await verify(folder, options);
      expect(broken(verification)).toEqual(['TRIALS']);
      expect(verification.checks.at(-1)?.message).toContain('is of no scenario of the record');
    });
  });

  test('finds a trial that was changed, doubled or left out', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run();
      const lines = (await folder.read('release.json.trials')).trimEnd().split('\n');
      const writeLines = (changed: readonly string[]) => folder.write('t', `${changed.join('\n')}\n`);
      await writeLines([...lines.slice(0, 1), (lines[1] ?? '').replace('"passed"', '"failed"'), ...lines.slice(2)]);
      expect(broken(await verify(folder, { trials: 't' }))).toEqual(['TRIALS']);
      await writeLines([...lines.slice(0, 2), lines[1] ?? '', ...lines.slice(3)]);
      expect(broken(await verify(folder, { trials: 't' }))).toEqual(['TRIALS']);
      await writeLines(lines.slice(0, -1));
      await expect(verify(folder, { trials: 't' })).rejects.toMatchObject({ code: 'INTEGRITY' });
    });
  });

  test('finds entries that were cut off the log behind the record, and a candidate that was tried until it passed', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run({
        seed: 1,
        out: 'first.json',
        scenarios: [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)],
      });
      await folder.run({ seed: 2 });
      const log = 'release-log.jsonl';
      const again = await verify(folder, { log });
      expect(broken(again)).toEqual(['LOG']);
      expect(again.checks.at(-2)?.message).toBe(
        'Entry 1 evaluated router 1 for dev before, with another result: it was tried again.',
      );
      const [first = '', second = ''] = (await folder.read(log)).split('\n');
      await folder.write(log, `${first}\n${second}\n`);
      const cut = await verify(folder, { log });
      expect(cut.checks.at(-2)).toMatchObject({
        code: 'LOG',
        holds: false,
        message: 'The log ends after 2 entries; the record is entry 3.',
      });
      await folder.write(log, '');
      expect(broken(await verify(folder, { log }))).toEqual(['LOG']);
    });
  });

  test('finds a try that was killed before its end, and one that began before and ended after', async () => {
    await inReleaseFolder(async (folder) => {
      const bad = [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)];
      const log = 'release-log.jsonl';
      const messageOf = async () => (await verify(folder, { log })).checks.at(-2)?.message;
      const killed = folder.run({
        scenarios: bad,
        out: 'bad.json',
        onProgress: ({ kind }) => {
          if (kind === 'end') throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      await folder.run();
      expect(await messageOf()).toBe(
        'Entry 0 began with router 1 for dev, and no entry says how that ended: it was tried again.',
      );
      await folder.write(log, '');
      const { privateKey } = makeKeys();
      const place = { file: folder.file(log), name: log, key: readPrivateKey(privateKey, 'it') };
      const about = 'router 1 for dev';
      const seq = await beginInLog(place, { type: 'release.begun', about, payloadHash: GENESIS });
      const { anchor } = await folder.run({ key: privateKey });
      const end = { type: 'release.evaluated', at: anchor.at, about, payloadHash: GENESIS, ends: seq } as const;
      await folder.write(log, `${await folder.read(log)}${logText([nextEntry(anchor, end, place.key)])}`);
      expect(await messageOf()).toBe(
        'Entry 3 evaluated router 1 for dev before, with another result: it was tried again.',
      );
    });
  });

  test('counts no try of which nothing began, because it cannot run', async () => {
    await inReleaseFolder(async (folder) => {
      const log = 'release-log.jsonl';
      await expect(folder.run({ gates: ['scenario(nobody).pass_rate >= 0.5'] })).rejects.toThrow('nobody');
      await folder.run();
      expect((await verify(folder, { log })).holds).toBe(true);
    });
  });

  test('reads records of which a retry costs more than a first attempt', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run();
      await rewrite(folder, (body) => ({ ...body, cost: { ...body.cost, gap: -0.05 } }));
      expect(broken(await verify(folder))).toEqual(['BODY_HASH', 'SIGNATURE']);
    });
  });

  test('refuses to write on in a log that does not hold', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run();
      const log = await folder.read('release-log.jsonl');
      await folder.write('release-log.jsonl', log.replace(/"payloadHash":"[0-9a-f]{4}/, '"payloadHash":"0000'));
      await expect(folder.run()).rejects.toMatchObject({ code: 'INTEGRITY' });
      await folder.write('release-log.jsonl', log.slice(0, -20));
      await expect(folder.run()).rejects.toMatchObject({ code: 'INTEGRITY' });
    });
  });

  test('says what cannot be read', async () => {
    await inReleaseFolder(async (folder) => {
      await expect(verify(folder)).rejects.toMatchObject({ code: 'INPUT' });
      for (const text of ['{', '[]', '{"schema":"passk.evalresult/9"}', '{"schema":"passk.evalresult/1"}']) {
        await folder.write('release.json', text);
        await expect(verify(folder)).rejects.toMatchObject({ code: 'INPUT' });
      }
      await folder.run();
      const { rm } = await import('node:fs/promises');
      await rm(folder.file('release.json.trials'));
      expect((await verify(folder)).holds).toBe(true);
      await expect(verify(folder, { recompute: true })).rejects.toMatchObject({ code: 'USAGE' });
    });
  });
});
