import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PasskError } from '../../src/errors.ts';
import { certify } from '../../src/release/certify/certify.ts';
import { checkCertificate } from '../../src/release/certify/check-certificate.ts';
import { explainRelease } from '../../src/release/explain/explain-release.ts';
import { readRecord } from '../../src/release/record-files.ts';
import { releaseReport } from '../../src/release/release-report.ts';
import { renderCertificateCheck } from '../../src/release/render-certificate.ts';
import { renderExplanation } from '../../src/release/render-explanation.ts';
import { renderRelease } from '../../src/release/render-release.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { verifyRelease } from '../../src/release/verify-release.ts';
import { aFolder, aGreeting } from '../cli/run-passk.ts';
import { inReleaseFolder } from '../release/a-release.ts';
import { fuzz } from './fuzz.ts';
import { mutatedJson, mutatedTexts } from './mutations.ts';

const LONG = 24 * 3_600_000;
/** Control characters, but for the end of a line. */
const CONTROL = /(?!\n)\p{Cc}/u;

/** What it gives, or null where the file is refused in words. */
async function orRefused<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    expect(error).toBeInstanceOf(PasskError);
    expect((error as PasskError).code).toBe('INPUT');
    return null;
  }
}

test('any text in place of a record is refused in words, or is verified, explained and shown', {
  timeout: LONG,
}, async () => {
  await inReleaseFolder(async ({ run, file, read }) => {
    await run({ rules: { trials: 8, maxAttackSuccess: 0.01, faithfulness: [] } });
    await run({ prior: 'release.json', out: 'next.json', candidate: { name: 'router', version: '2' } });
    const sound = [await read('release.json'), await read('next.json')];
    const judge = async (text: string): Promise<void> => {
      const name = file('fuzzed.json');
      writeFileSync(name, text);
      const record = await orRefused(() => readRecord(name, 'fuzzed.json'));
      if (record === null) return;
      const verification = await orRefused(() => verifyRelease({ record: name }));
      expect(verification?.checks.length ?? 3).toBeGreaterThan(2);
      const explained = await orRefused(async () => explainRelease(record));
      if (explained !== null) expect(renderExplanation(explained)).not.toMatch(CONTROL);
      expect(renderRelease(record)).not.toMatch(CONTROL);
      await orRefused(async () => releaseReport(record.body));
    };
    await fuzz('texts of records', mutatedTexts(sound), 100, ({ text }) => judge(text));
    const values = sound.map((text) => JSON.parse(text));
    await fuzz('values of records', mutatedJson(values), 100, (value) => judge(JSON.stringify(value)));
  });
});

test('any text in place of a certificate is refused in words, or says what does not hold', {
  timeout: LONG,
}, async () => {
  const cwd = aFolder();
  const at = '2026-11-25T12:00:00.000Z';
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  await certify({ cwd, paths: ['a.toml'], workers: 0, key: makeKeys().privateKey, out: 'a.cert', at });
  const sound = await readFile(path.join(cwd, 'a.cert'), 'utf8');
  const judge = async (text: string): Promise<void> => {
    writeFileSync(path.join(cwd, 'fuzzed.cert'), text);
    const checked = await orRefused(() => checkCertificate({ cwd, certificate: 'fuzzed.cert', at }));
    if (checked === null) return;
    expect(renderCertificateCheck(checked)).not.toMatch(CONTROL);
    // Only what says the same in other words still holds.
    if (checked.holds) expect(checked.certificate.body).toEqual((JSON.parse(sound) as { body: unknown }).body);
  };
  await fuzz('texts of certificates', mutatedTexts([sound]), 100, ({ text }) => judge(text));
  await fuzz('values of certificates', mutatedJson([JSON.parse(sound)]), 100, (value) => judge(JSON.stringify(value)));
});
