import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importTraces, type ImportReport, isSampled, runSuite } from '../../../src/index.ts';
import { aFolder, runPassk } from '../../cli/run-passk.ts';
import { hasStrace, trace } from '../../security/system-calls.ts';
import { CONSENT, otlpTraces, traceId } from './otlp-traces.ts';

const KEY = 'sixteen characters';
const MAIL = 'jane@example.com';
const TRACES = otlpTraces([
  { id: traceId(0), order: 'R-0', mail: MAIL },
  { id: traceId(1), order: 'R-1', mail: 'joe@example.com', result: 'fail' },
  { id: traceId(2), order: 'R-2', mail: 'jim@example.com', change: 'no answer' },
  { id: traceId(3), order: 'R-3', mail: MAIL, consent: false },
  { id: traceId(4), order: 'R-4', mail: MAIL, change: 'clock goes back' },
  { id: '', order: 'R-5', mail: MAIL },
]);

let cwd = '';
let report: ImportReport;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(os.tmpdir(), 'passk-import-'));
  // Names of files hold personal data, too.
  writeFileSync(path.join(cwd, `${MAIL}.jsonl`), TRACES);
  writeFileSync(path.join(cwd, 'consent.toml'), CONSENT);
  report = await imported(KEY);
}, 60_000);

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function imported(key: string, out = 'golden'): Promise<ImportReport> {
  return importTraces({ recordings: [`${MAIL}.jsonl`], out, consent: 'consent.toml', key, cwd, today: '2026-11-26' });
}

function textsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => name + readFileSync(path.join(folder, name), 'utf8'));
}

test('traces become sessions; each that does not is counted, with its reason and place', () => {
  expect(report).toMatchObject({ traces: 5, imported: 2, failed: 1, unjudged: 0, present: 0, repeated: 0 });
  expect(report.refused.map(({ reason, count }) => [reason, count])).toEqual([
    ['not_consented', 1],
    ['clock_went_back', 1],
    ['unanswered', 1],
  ]);
  expect(report.refused.map(({ places: [first] }) => first?.trace)).toEqual([traceId(3), traceId(4), traceId(2)]);
  expect(report.problems.join(' ')).toContain('A span has no trace id. So it is 4 times');
});

test('nothing of what was scrubbed stands in a file, a name, base64 or the report, and values still join', () => {
  const texts = textsIn(path.join(cwd, 'golden'));
  const all = `${texts.join('\n')}${JSON.stringify(report)}`;
  const unpacked = [...all.matchAll(/[\w+/]{24,}=*/g)].map(([one]) => Buffer.from(one, 'base64').toString());
  for (const text of [all, ...unpacked]) {
    expect(text).not.toMatch(/example\.com|jane|4111|\b1234\b/);
  }
  const [token = ''] = /email_[0-9a-f]{16}/.exec(texts[0] ?? '') ?? [];
  const sessionHas = (texts[0]?.split(token).length ?? 0) - 1;
  expect(sessionHas).toBeGreaterThan(3);
  expect(texts[1]).toContain(token);
});

test('the same traces give the same ids with any key, and what is there stays as it is', async () => {
  const before = textsIn(path.join(cwd, 'golden'));
  expect(await imported('another key of some length')).toMatchObject({ imported: 0, present: 2, files: [] });
  expect(textsIn(path.join(cwd, 'golden'))).toEqual(before);
  const elsewhere = await imported('another key of some length', 'elsewhere');
  expect(elsewhere.files).toEqual(report.files);
});

test('imported files run at once and pass as they were recorded', async () => {
  const { scenarios, gate } = await runSuite({ paths: ['golden'], cwd, trials: 3 });
  expect(scenarios.map(({ verdict, trials }) => [verdict, trials.passed])).toEqual([
    ['passed', 3],
    ['passed', 3],
  ]);
  expect(gate.verdict).toBe('pass');
});

test('a call that was never recorded is a replay_miss with its rate, for any number of workers', async () => {
  cpSync(path.join(cwd, 'golden'), path.join(cwd, 'astray'), { recursive: true });
  const [file = ''] = report.files;
  const place = path.join(cwd, 'astray', file);
  const text = readFileSync(place, 'utf8');
  const last = text.lastIndexOf('order = "R-');
  expect(last).toBeGreaterThan(0);
  writeFileSync(place, text.slice(0, last) + text.slice(last).replace(/R-\d/, 'R-9'));
  const [none, two] = await Promise.all(
    [0, 2].map((workers) => runSuite({ paths: ['astray'], cwd, trials: 4, workers })),
  );
  const found = none?.scenarios.filter(isSampled).find(({ replayMisses }) => replayMisses !== undefined);
  expect(found).toMatchObject({ trials: { broken: 4 }, replayMisses: { count: 4, rate: 1 } });
  expect(found?.brokenCauses?.[0]?.cause).toMatch(/^replay_miss: The tool "refund" was called with .*no such call was/);
  expect(none?.notices.map(({ code }) => code)).toContain('replay_miss');
  expect({ ...two, timing: null }).toEqual({ ...none, timing: null });
});

test('a policy without what it covers, and one that is none, are refused with all that is wrong', async () => {
  writeFileSync(path.join(cwd, 'open.toml'), CONSENT.replace(/attribute.*\n/, ''));
  writeFileSync(path.join(cwd, 'none.toml'), '[consent]\npolicy = 1\n');
  const args = ['import', `${MAIL}.jsonl`, '--out', 'no', '--consent'];
  const [open, none] = await Promise.all(['open.toml', 'none.toml'].map((file) => runPassk([...args, file], { cwd })));
  expect(open).toMatchObject({ status: 2, stdout: '' });
  expect(open?.stderr).toContain('covers = "every trace"');
  expect(none).toMatchObject({ status: 2 });
  expect(none?.stderr.match(/none\.toml:/g)?.length).toBeGreaterThan(2);
  expect(readdirSync(cwd)).not.toContain('no');
});

test.skipIf(!hasStrace())(
  'a replay reaches no address, as strace sees it from outside',
  async () => {
    const bin = path.resolve('dist/bin/passk.cjs');
    const seen = await trace([bin, 'astray', '--workers', '2', '--trials', '20'], {
      cwd,
      scratch: aFolder(),
    });
    expect(seen.said).toContain('replay_miss');
    expect(seen.network.filter((call) => /AF_INET/.test(call))).toEqual([]);
    expect(seen.started).toEqual([]);
  },
  60_000,
);
