import { expect, test } from 'vitest';
import { GENESIS, nextEntry } from '../../src/release/audit-log.ts';
import { makeKeys, readPrivateKey } from '../../src/release/signing-keys.ts';
import { logText } from '../../src/release/sound-log.ts';
import { verifyRelease } from '../../src/release/verify-release.ts';
import type { AuditEntry } from '../../src/types/release/eval-result.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

const hashesIn = (log: string): readonly string[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry)
    .filter(({ type }) => type === 'release.evaluated')
    .map(({ payloadHash }) => payloadHash);

test('a release that passes removes no entry of one that failed while it ran', async () => {
  await inReleaseFolder(async ({ run, read }) => {
    const bad = { scenarios: [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)], out: 'bad.json' };
    const results = await Promise.all([run(), run(bad), run({ out: 'again.json' })]);
    expect(results.map(({ body }) => body.verdict)).toEqual(['pass', 'fail', 'pass']);
    expect([...hashesIn(await read('release-log.jsonl'))].sort()).toEqual(
      results.map(({ bodyHash }) => bodyHash).sort(),
    );
  });
});

test('an entry is not dated before that of another machine, whose clock is ahead, so that the log holds', async () => {
  await inReleaseFolder(async ({ run, read, write, folder }) => {
    const { privateKey, publicKey } = makeKeys();
    const at = new Date(Date.now() + 60_000).toISOString();
    const ahead = { type: 'release.evaluated', at, about: 'another', payloadHash: GENESIS } as const;
    await write('release-log.jsonl', logText([nextEntry(null, ahead, readPrivateKey(privateKey, 'it'))]));
    const { anchor } = await run({ key: privateKey });
    expect([anchor.at, hashesIn(await read('release-log.jsonl')).length]).toEqual([at, 2]);
    const options = { record: 'release.json', log: 'release-log.jsonl', publicKey, cwd: folder };
    expect((await verifyRelease(options)).holds).toBe(true);
  });
});
