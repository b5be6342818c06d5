import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CertifyOptions, type Certification, certify } from '../../src/release/certify/certify.ts';
import {
  type CertificateCheck,
  type CheckCertificateOptions,
  checkCertificate,
} from '../../src/release/certify/check-certificate.ts';
import { renderCertificateCheck, renderCertification } from '../../src/release/render-certificate.ts';
import { bodyHash, signBody } from '../../src/release/sign-record.ts';
import { makeKeys, readPrivateKey } from '../../src/release/signing-keys.ts';
import { CERTIFICATE_SCHEMA, type Certificate, type CertificateBody } from '../../src/types/release/certificate.ts';
import type { AuditEntry } from '../../src/types/release/eval-result.ts';
import { aFolder, aGreeting } from '../cli/run-passk.ts';

const KEYS = makeKeys();
const ISSUED = '2026-11-25T12:00:00.000Z';
const POLICY = '\n[policy.fs]\nread = ["/data/**"]\n';

/** The workflow of `aGreeting` in a file of its own. */
const WORKFLOW = /inline = '''\n([\s\S]*?)'''/.exec(aGreeting())?.[1] ?? '';
const SCENARIO = aGreeting().replace(/inline = '''[\s\S]*?'''/, 'path = "greeting.workflow.toml"');

/** Turns of which one is drawn; nothing asks for them. */
const DRAWN = `[[intel.turns]]
variants = [{ content = "one" }, { content = "other" }]

[expected]`;

interface Project {
  readonly cwd: string;
  certify(options?: Partial<CertifyOptions>): Promise<Certification>;
  check(options?: Partial<CheckCertificateOptions>): Promise<CertificateCheck>;
  change(file: string, change: (text: string) => string): Promise<void>;
}

async function aProject(files: Readonly<Record<string, string>> = { 'a.toml': aGreeting() }): Promise<Project> {
  const cwd = aFolder();
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(cwd, file), text);
  const shared = { cwd, paths: ['a.toml'], workers: 0 };
  return {
    cwd,
    certify: (options) => certify({ ...shared, key: KEYS.privateKey, out: 'a.cert', at: ISSUED, ...options }),
    check: (options) =>
      checkCertificate({ ...shared, certificate: 'a.cert', publicKey: KEYS.publicKey, at: ISSUED, ...options }),
    change: async (file, change) => {
      const text = await readFile(path.join(cwd, file), 'utf8');
      const changed = change(text);
      expect(changed).not.toBe(text);
      await writeFile(path.join(cwd, file), changed);
    },
  };
}

/** What does not hold, by code. */
const broken = ({ checks }: CertificateCheck): readonly string[] =>
  checks.filter(({ holds }) => !holds).map(({ code }) => code);

describe('a certificate', () => {
  test('says what passed which bar with how many trials of which seed, and until when', async () => {
    const { certify: issue, check } = await aProject();
    const { verdict, certificate } = await issue({ trials: 20, seed: 7, minPassRate: 0.9, days: 10 });
    expect(verdict).toBe('pass');
    expect(certificate?.body).toMatchObject({
      seed: 7,
      minPassRate: 0.9,
      scenarios: [{ name: 'greeting', bar: null, trials: 20, passed: 20, failed: 0, errors: 0 }],
      subject: { files: [{ name: 'a.toml' }], modelPins: [] },
      issuedAt: ISSUED,
      expiresAt: '2026-12-05T12:00:00.000Z',
    });
    expect(certificate?.body.coverage.observed).toContain('template_render');
    const checked = await check();
    expect([checked.holds, checked.isSignerVerified]).toEqual([true, true]);
    expect(checked.checks.map(({ code }) => code)).toEqual([
      'BODY_HASH',
      'SIGNATURE',
      'SIGNER',
      'EXPIRY',
      'FILES',
      'WORKFLOW',
      'POLICY',
      'MODELS',
    ]);
  });

  test('is the same for any number of workers', async () => {
    const { certify: issue } = await aProject();
    const hashes: (string | undefined)[] = [];
    for (const workers of [0, 2]) hashes.push((await issue({ workers, trials: 5000 })).certificate?.bodyHash);
    expect(new Set(hashes).size).toBe(1);
  });

  test('is not written for a scenario that never passed, whatever bar its file asks for', async () => {
    const failing = `min_pass_rate = 0.0\n${aGreeting({ lastNode: 'greet' })}`;
    const { certify: issue } = await aProject({ 'a.toml': failing });
    const { verdict, reasons, certificate } = await issue();
    expect([verdict, certificate]).toEqual(['fail', null]);
    expect(reasons).toEqual(['No trial passed of "greeting", which shows nothing.']);
  });

  test('is not written for a scenario that asserts nothing, whose trials pass whatever they do', async () => {
    const idle = aGreeting().replace(/\[expected\][\s\S]*/, '[expected]\n');
    const { certify: issue } = await aProject({ 'a.toml': idle });
    const { verdict, reasons, certificate } = await issue();
    expect([verdict, certificate]).toEqual(['insufficient', null]);
    expect(reasons).toEqual(['a.toml: The scenario asserts nothing.']);
  });

  test('is not written for few trials that differ, unless it states that so few are enough', async () => {
    const drawn = aGreeting({ trials: 1 }).replace('[expected]', DRAWN);
    expect(drawn).toContain('variants');
    const { certify: issue } = await aProject({ 'a.toml': drawn });
    const one = await issue();
    expect([one.verdict, one.certificate]).toEqual(['insufficient', null]);
    expect(one.reasons).toEqual([
      'Each scenario needs 32 trials that passed or failed: "greeting" (1).',
      'Run more (--trials), or accept fewer (--min-trials), which the certificate states.',
    ]);
    const enough = await issue({ trials: 32 });
    expect(enough.certificate?.body).toMatchObject({ minTrials: 32, scenarios: [{ trials: 32 }] });
    // 0.05 ** (1 / 32)
    expect(enough.certificate?.body.scenarios[0]?.passRateAtLeast).toBeCloseTo(0.9106, 4);
    expect(renderCertification(enough).replaceAll(/\s+/g, ' ')).toContain('at most 0.09 of runs fail (95 %)');
    const accepted = await issue({ minTrials: 1 });
    expect(accepted.certificate?.body.minTrials).toBe(1);
    expect(accepted.certificate?.body.scenarios[0]?.passRateAtLeast).toBeCloseTo(0.05, 4);
    await expect(issue({ minTrials: 0 })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('needs one trial of a scenario in which nothing is drawn, and says that all are the same', async () => {
    const { certify: issue } = await aProject({ 'a.toml': aGreeting({ trials: 1 }) });
    const { certificate } = await issue();
    expect(certificate?.body.scenarios).toMatchObject([{ trials: 1, passRateAtLeast: null }]);
  });

  test('is not written for what does not reach its bar, or is not decided', async () => {
    const { certify: issue, check } = await aProject({ 'a.toml': aGreeting({ lastNode: 'greet' }) });
    const failed = await issue();
    expect([failed.verdict, failed.certificate]).toEqual(['fail', null]);
    const thin = await aProject().then((project) => project.certify({ gates: ['pass^8.lower(0.95) >= 0.99'] }));
    expect([thin.verdict, thin.certificate]).toEqual(['insufficient', null]);
    expect(renderCertification(thin)).toContain('none: insufficient');
    await expect(check()).rejects.toMatchObject({ code: 'INPUT' });
  });

  test('ends with any byte of the scenario, also one that means nothing', async () => {
    const { certify: issue, check, change } = await aProject();
    await issue();
    await change('a.toml', (text) => `${text}# nothing\n`);
    expect(broken(await check())).toEqual(['FILES']);
    await change('a.toml', (text) => text.replace('Hello, {{name}}.', 'Hello {{name}}.'));
    expect(broken(await check())).toEqual(['FILES', 'WORKFLOW']);
    await change('a.toml', (text) => text.replace('trials = 8', 'trials = "many"'));
    expect(broken(await check())).toEqual(['FILES']);
  });

  test('ends with any byte of the workflow file that the scenario names', async () => {
    const {
      certify: issue,
      check,
      change,
    } = await aProject({
      'a.toml': SCENARIO,
      'greeting.workflow.toml': WORKFLOW,
    });
    const { certificate } = await issue();
    expect(certificate?.body.subject.files.map(({ name }) => name)).toEqual(['a.toml', 'greeting.workflow.toml']);
    expect((await check()).holds).toBe(true);
    await change('greeting.workflow.toml', (text) => text.replace('Hello', 'Hi'));
    expect(broken(await check())).toEqual(['FILES', 'WORKFLOW']);
  });

  test('ends with a byte of that file, too, where the scenario names it from its own folder', async () => {
    const project = await aProject({
      'a.toml': SCENARIO.replace('"greeting', '"${SCENARIO_DIR}/greeting'),
      'greeting.workflow.toml': WORKFLOW,
    });
    expect((await project.certify()).verdict).toBe('pass');
    await project.change('greeting.workflow.toml', (text) => `${text}# nothing\n`);
    expect(broken(await project.check())).toEqual(['FILES']);
  });

  test('ends with the policy, and with a pin of a model', async () => {
    const { certify: issue, check, change } = await aProject();
    const pins = { writer: 'gpt-4o-2024-08-06' };
    await issue({ pins });
    expect((await check({ pins })).holds).toBe(true);
    expect(broken(await check({ pins: { writer: 'gpt-4o-2024-11-20' } }))).toEqual(['MODELS']);
    expect(broken(await check())).toEqual(['MODELS']);
    await change('a.toml', (text) => text + POLICY);
    expect(broken(await check({ pins }))).toEqual(['FILES', 'POLICY']);
  });

  test('is refused to models that may be others tomorrow', async () => {
    const { certify: issue } = await aProject();
    const { verdict, reasons } = await issue({ pins: { writer: 'gpt-4o' } });
    expect([verdict, reasons]).toEqual([
      'fail',
      ['The name of a model may mean another model tomorrow: writer (gpt-4o).'],
    ]);
  });

  test('expires by the clock, and does not hold before it was issued', async () => {
    const { certify: issue, check } = await aProject();
    await issue({ days: 1 });
    expect((await check({ at: '2026-11-26T11:59:59.999Z' })).holds).toBe(true);
    expect(broken(await check({ at: '2026-11-26T12:00:00.000Z' }))).toEqual(['EXPIRY']);
    expect(broken(await check({ at: '2026-11-25T11:59:59.999Z' }))).toEqual(['EXPIRY']);
    for (const at of ['tomorrow', '2026-02-31', '2026-11-31T12:00:00Z', '2026-11-25T12:00', 'Nov 25 2026']) {
      const refused = { code: 'USAGE', message: `"${at}" is neither a day nor a moment.` };
      await expect(check({ at })).rejects.toMatchObject(refused);
      await expect(issue({ at })).rejects.toMatchObject(refused);
    }
  });

  test('that was changed does not hold, also where it was signed again by somebody else', async () => {
    const { cwd, certify: issue, check } = await aProject();
    await issue({ days: 1 });
    const file = path.join(cwd, 'a.cert');
    const certificate = JSON.parse(await readFile(file, 'utf8')) as Certificate;
    const body: CertificateBody = { ...certificate.body, expiresAt: '2036-11-25T12:00:00.000Z' };
    await writeFile(file, JSON.stringify({ ...certificate, body }));
    expect(broken(await check())).toEqual(['BODY_HASH', 'SIGNATURE']);
    const hash = bodyHash(body);
    const forger = readPrivateKey(makeKeys().privateKey, 'it');
    const signature = signBody(hash, forger, CERTIFICATE_SCHEMA);
    await writeFile(file, JSON.stringify({ ...certificate, body, bodyHash: hash, signature }));
    expect(broken(await check())).toEqual(['SIGNER']);
    // A signature of a record is none of a certificate.
    const own = signBody(hash, readPrivateKey(KEYS.privateKey, 'it'));
    await writeFile(file, JSON.stringify({ ...certificate, body, bodyHash: hash, signature: own }));
    expect(broken(await check())).toEqual(['SIGNATURE']);
  });

  test('is an entry of the audit log that is named, and does not hold where that refused it before', async () => {
    const { cwd, certify: issue, check } = await aProject();
    const log = 'log.jsonl';
    const entries = async () => {
      const lines = (await readFile(path.join(cwd, log), 'utf8')).trim().split('\n');
      const types = lines.map((line) => (JSON.parse(line) as AuditEntry).type);
      return types.filter((type) => type !== 'certificate.begun');
    };
    await issue();
    expect(broken(await check({ log }))).toEqual(['LOG']);
    const { certificate } = await issue({ log });
    expect(await entries()).toEqual(['certificate.issued']);
    expect(certificate?.anchor).toMatchObject({ seq: 1, ends: 0, payloadHash: certificate?.bodyHash });
    const { checks, holds } = await check({ log });
    expect([holds, checks.filter(({ code }) => code === 'ANCHOR' || code === 'LOG').length]).toEqual([true, 2]);
    // Renewing what was certified before is no second try.
    await issue({ log, days: 60 });
    expect((await check({ log })).holds).toBe(true);
    // The same files until they pass.
    expect((await issue({ log, gates: ['pass^8.lower(0.95) >= 0.99'] })).verdict).toBe('insufficient');
    await issue({ log });
    expect(await entries()).toEqual([
      'certificate.issued',
      'certificate.issued',
      'certificate.refused',
      'certificate.issued',
    ]);
    const tried = await check({ log });
    expect(broken(tried)).toEqual(['LOG']);
    expect(renderCertificateCheck(tried)).toContain('it was tried again');
    // Without the end that held it, and with another entry in its place.
    const text = await readFile(path.join(cwd, log), 'utf8');
    const lines = text.split('\n');
    await writeFile(path.join(cwd, log), `${lines.slice(0, 6).join('\n')}\n`);
    expect(broken(await check({ log }))).toEqual(['LOG']);
    await writeFile(path.join(cwd, log), text.replace('certificate.refused', 'certificate.issued'));
    expect(broken(await check({ log }))).toEqual(['LOG']);
    await expect(issue({ log })).rejects.toMatchObject({ code: 'INTEGRITY' });
  });

  test('does not hold where a try of the same files was killed before its end', async () => {
    const { certify: issue, check, change } = await aProject();
    const log = 'log.jsonl';
    const onProgress: CertifyOptions['onProgress'] = ({ kind }) => {
      if (kind === 'end') throw new Error('killed');
    };
    await expect(issue({ log, onProgress })).rejects.toThrow('killed');
    await issue({ log });
    const tried = await check({ log });
    expect(broken(tried)).toEqual(['LOG']);
    expect(renderCertificateCheck(tried).replaceAll(/\s+/g, ' ')).toContain('no entry says how that ended');
    // Other files are tried for the first time.
    await change('a.toml', (text) => `${text}# mended\n`);
    await issue({ log });
    expect((await check({ log })).holds).toBe(true);
  });

  test('with the entry of another one does not hold', async () => {
    const { cwd, certify: issue, check } = await aProject();
    const log = 'log.jsonl';
    const first = (await issue({ log, days: 1 })).certificate;
    const { certificate } = await issue({ log });
    const write = (anchor: AuditEntry | undefined) =>
      writeFile(path.join(cwd, 'a.cert'), JSON.stringify({ ...certificate, anchor }));
    await write(first?.anchor);
    expect(broken(await check())).toEqual(['ANCHOR']);
    expect(broken(await check({ log }))).toEqual(['ANCHOR']);
    await write(undefined);
    expect(broken(await check({ log }))).toEqual(['LOG']);
  });

  test('of whom nobody says who must have signed it says so', async () => {
    const { cwd, certify: issue } = await aProject();
    await issue();
    const checked = await checkCertificate({ cwd, paths: ['a.toml'], certificate: 'a.cert', at: ISSUED });
    expect([checked.holds, checked.isSignerVerified]).toEqual([true, false]);
    expect(renderCertificateCheck(checked)).toContain('the signer is not verified');
  });

  test('that cannot be read is told, as are files that are not there and options that cannot be', async () => {
    const { cwd, certify: issue, check } = await aProject();
    for (const text of ['{', '[]', '{"schema": "passk.certificate/9"}', '{"schema": "passk.certificate/1"}']) {
      await writeFile(path.join(cwd, 'a.cert'), text);
      await expect(check()).rejects.toMatchObject({ code: 'INPUT' });
    }
    await issue();
    await expect(check({ paths: ['none.toml'] })).rejects.toMatchObject({ code: 'INPUT' });
    await expect(issue({ days: 0 })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(issue({ key: 'words' })).rejects.toMatchObject({ code: 'INPUT' });
  });
});
