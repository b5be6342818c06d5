import { decode, encode } from '@msgpack/msgpack';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { baselineText } from '../../src/baseline/baseline-text.ts';
import { HISTORY_FILE_NAME, historyFile, readHistoryFile } from '../../src/baseline/history-file.ts';
import { historyTrends } from '../../src/baseline/history-trends.ts';
import { readBaseline } from '../../src/baseline/read-baseline.ts';
import { compareRuns } from '../../src/baseline/compare-runs.ts';
import { renderReport, runSuite } from '../../src/index.ts';
import { encodeCassetteHead } from '../../src/records/cassette-head.ts';
import { openCassette } from '../../src/records/cassette-reader.ts';
import { encodeFrame, FrameReader } from '../../src/records/frame.ts';
import { openJournal } from '../../src/records/journal.ts';
import { encodeJournalHead, type JournalHead } from '../../src/records/journal-head.ts';
import { digestOf, planDigest } from '../../src/records/plan-digest.ts';
import { decodeTally, encodeTally, verdictsOf } from '../../src/pool/tally/tally-codec.ts';
import { passkReporters } from '../../src/suite/passk-reporters.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { openHistory } from '../../src/suite/history/open-history.ts';
import { readReport } from '../../src/suite/read-report.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { decodeTape, encodeTape } from '../../src/trial/cassette/tape-entry.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import type { Json } from '../../src/types/json.ts';
import { VERSION } from '../../src/version.ts';
import { aBaseline, aBaselineScenario, aRun } from '../baseline/a-baseline.ts';
import { aHistoryRun, aKeptScenario } from '../baseline/a-history.ts';
import { FakeDisk } from '../records/fixtures/fake-disk.ts';
import { REPORT_CASES } from '../report/report-cases.ts';
import { aRouter } from '../suite/scenarios.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBytes, mutatedJson } from './mutations.ts';
import { expectSoundIssues, orRefused } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const folder = mkdtempSync(path.join(tmpdir(), 'passk-fuzz-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SUITE = { scenarios: [aRouter({ trials: 40 }), aRouter({ name: 'two', trials: 5000 })], workers: 0, cwd: folder };
let shards: readonly Uint8Array<ArrayBuffer>[] = [];
let frames: readonly unknown[][] = [];
let reports: readonly unknown[] = [];
beforeAll(async () => {
  const whole = await runShard({ ...SUITE, shard: { index: 1, count: 1 } });
  const half = await runShard({ ...SUITE, shard: { index: 2, count: 2 } });
  shards = [whole.bytes, half.bytes].map((bytes) => Uint8Array.from(bytes));
  frames = shards.map((bytes) => new FrameReader().push(bytes));
  const ran = await runSuite(SUITE);
  reports = [...Object.values(REPORT_CASES), ran].map((report) => JSON.parse(JSON.stringify(report)) as unknown);
});

async function merge(bytes: Uint8Array): Promise<void> {
  for (const partial of [false, true]) {
    const merged = await orRefused(() => mergeShards([{ name: 'a.shard', bytes }], { partial, cwd: folder }));
    if (merged === undefined) continue;
    for (const { type } of passkReporters) expect(renderReport(merged.report, { reporter: type })).toBeTypeOf('string');
  }
}

test('any bytes in place of a shard merge, or are refused', { timeout: LONG }, async () => {
  await fuzz('shards of any bytes', fc.oneof(mutatedBytes(shards), fc.uint8Array()), 400, merge);
});

test('a shard forged with the right checksums merges, or is refused', { timeout: LONG }, async () => {
  const forged = mutatedJson(frames.map(unpacked)).map((list) => packed(list));
  await fuzz('forged shards', forged, 250, async (bytes) => {
    if (bytes !== null) await merge(bytes);
  });
});

test('any bytes that begin like a shard are scored, or are refused by name', { timeout: LONG }, async () => {
  const file = path.join(folder, 'recorded');
  await fuzz('shards as recordings', mutatedBytes(shards), 300, (bytes) => scored(file, bytes));
});

test('a journal with any bytes behind its head is scored, or is refused by name', { timeout: LONG }, async () => {
  const file = path.join(folder, 'recorded.journal');
  const [values = []] = frames;
  const { identity } = values[0] as { readonly identity: string };
  const head: JournalHead = { identity: JSON.parse(identity), shard: null };
  const results = values.flatMap((value) => {
    const { kind, scenario, tally } = value as { kind?: string; scenario?: number; tally?: Uint8Array };
    return kind === 'result' ? [encodeFrame({ kind: 'delta', scenario, fromBlock: 0, toBlock: 1, tally })] : [];
  });
  const whole = Buffer.concat([encodeJournalHead(head, 0), ...results, encodeFrame({ kind: 'end' })]);
  await scored(file, whole);
  await fuzz('journals as recordings', mutatedBytes([Uint8Array.from(whole)]), 300, (bytes) => scored(file, bytes));
});

const SEVERE: unknown = expect.objectContaining({ severity: 'error' });

async function scored(file: string, bytes: Uint8Array): Promise<void> {
  writeFileSync(file, bytes);
  const run = runSuite({ recordings: [file], workers: 0, cwd: folder });
  const report = await run.catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'INPUT', issues: expect.arrayContaining([SEVERE]) });
    return null;
  });
  if (report !== null) expect(report.summary.trials.executed).toBeGreaterThan(0);
}

/** Frames with the texts of JSON and the tallies in them as values, so that what they hold is changed too. */
function unpacked(values: readonly unknown[]): unknown {
  return values.map((value) =>
    Object.fromEntries(
      Object.entries(value as object).map(([key, part]) => [
        key,
        isText(key) ? JSON.parse(part) : key === 'tally' ? decode(part) : part,
      ]),
    ),
  );
}

const TEXTS = ['identity', 'outline', 'plan', 'positions'];
const isText = (key: string): boolean => TEXTS.includes(key);

/** The frames again, with the digests that go with what they hold now. */
function packed(list: unknown): Uint8Array<ArrayBuffer> | null {
  if (!Array.isArray(list)) return null;
  const values = list.map((value: unknown) =>
    typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([key, part]) => [
            key,
            isText(key) ? (JSON.stringify(part) ?? null) : key === 'tally' ? encode(part) : part,
          ]),
        ),
  );
  const plans = values.flatMap((value) =>
    isRecord(value) && typeof value['plan'] === 'string' ? [value['plan']] : [],
  );
  const [head] = values;
  const bytes: Uint8Array[] = [];
  try {
    if (isRecord(head) && typeof head['identity'] === 'string') {
      const identity = JSON.parse(head['identity']);
      for (const [index, plan] of plans.entries()) {
        if (identity.scenarios?.[index]) identity.scenarios[index].digest = digestOf(plan);
      }
      values[0] = { ...head, identity: JSON.stringify(identity), digest: planDigest(identity) };
    }
    for (const value of values) bytes.push(encodeFrame(value));
  } catch {
    // What cannot be written cannot be read either.
    return null;
  }
  return Uint8Array.from(Buffer.concat(bytes));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const HEAD: JournalHead = {
  identity: { passk: VERSION, seed: 0, bail: 0, plugins: [], scenarios: [] },
  shard: null,
};

test('a damaged or forged journal gives what it still holds, or is refused', { timeout: LONG }, async () => {
  const tally = encodeTally(new Tally({ nodes: 1, edges: 0, checks: 1, variants: [], faults: 0, columns: '' }));
  const delta = { kind: 'delta', scenario: 0, fromBlock: 0, toBlock: 1, tally };
  const sound = Buffer.concat([
    encodeJournalHead(HEAD, 0),
    encodeFrame(delta),
    encodeFrame(delta),
    encodeFrame({ kind: 'end' }),
  ]);
  const values = new FrameReader().push(Uint8Array.from(sound));
  const inputs = fc.oneof(
    mutatedBytes([Uint8Array.from(sound)]),
    mutatedJson([unpacked(values)]).map((list) => packed(list) ?? new Uint8Array(0)),
  );
  await fuzz('journals', fc.tuple(inputs, fc.boolean()), 800, async ([bytes, resume]) => {
    const disk = new FakeDisk(() => 7);
    const file = await disk.open('/run/run.journal', 'wx');
    if (bytes.length > 0) await file.write(bytes, 0);
    const notices: string[] = [];
    await orRefused(async () => {
      const onNotice = (text: string): void => void notices.push(text);
      const journal = await openJournal({ folder: '/run', resume, head: HEAD, onNotice, files: disk });
      try {
        for await (const found of journal.replay()) expect(found.tally).toBeInstanceOf(Uint8Array);
      } finally {
        await journal.close();
      }
    });
    const issues = notices.map((message) => ({ code: 'notice', severity: 'warning', message }) as const);
    expectSoundIssues(issues, { file: '', text: '', root: '/' });
  });
});

const SHAPE = { nodes: 4, edges: 30, checks: 5, variants: [2, 1, 3], faults: 2, columns: '' };

test('any bytes in place of a tally are one that counts, or are refused', { timeout: LONG }, async () => {
  const full = new Tally(SHAPE);
  for (let trial = 0; trial < 100; trial++) {
    if (trial % 3 === 0) full.markFailed(trial, [trial % 5]);
    else full.markPassed(trial);
  }
  const sound = [full, new Tally(SHAPE)].map((tally) => encodeTally(tally));
  const inputs = fc.oneof(
    mutatedBytes(sound),
    mutatedJson(sound.map((bytes) => decode(bytes))).map((value) => encode(value)),
  );
  await fuzz('tallies', inputs, 4000, async (bytes) => {
    await orRefused(() => verdictsOf(bytes));
    const tally = await orRefused(() => decodeTally(bytes, SHAPE));
    if (tally === undefined) return;
    const sum = new Tally(SHAPE);
    sum.merge(tally);
    expect(Buffer.from(encodeTally(sum)).equals(encodeTally(tally))).toBe(true);
  });
});

test('any bytes in place of a baseline are compared with, or refused', { timeout: LONG }, async () => {
  const baseline = aBaseline([aBaselineScenario({ trials: 40, failing: [1] }), aBaselineScenario({}, { name: 'b' })]);
  const texts = [baselineText(baseline), JSON.stringify(REPORT_CASES['passed'])];
  const inputs = fc.oneof(
    mutatedBytes(texts.map((text) => Buffer.from(text))),
    mutatedJson(texts.map((text) => JSON.parse(text) as unknown)).map((value) => Buffer.from(JSON.stringify(value))),
  );
  const now = aRun([aBaselineScenario({ trials: 40, failing: [2] })]);
  await fuzz('baselines', inputs, 1500, async (bytes) => {
    const before = await orRefused(() => readBaseline(bytes, 'base.json'));
    if (before !== undefined) await orRefused(() => compareRuns(before, now));
  });
});

test('any bytes in place of a kept run are that run, or named and left out', { timeout: LONG }, async () => {
  const run = aHistoryRun(1, [aKeptScenario(), aKeptScenario({ name: 'b', interval: null })]);
  const { name, text } = historyFile(run);
  await fuzz('history files', mutatedBytes([Buffer.from(text)]), 1500, (bytes) => {
    const read = readHistoryFile(bytes, name);
    if (read.ok) expect(read.entry.run).toEqual(run);
    else expect(read.problem).toMatch(/^[ -~]+$/);
  });
  const forged = mutatedJson([JSON.parse(JSON.stringify(run))]).map((value) => value as Json);
  const history = openHistory(path.join(folder, 'runs'));
  await history.prepare();
  await fuzz('forged kept runs', forged, 300, async (value) => {
    const file = forgedRun(value);
    if (file === null || !HISTORY_FILE_NAME.test(file.name)) return;
    const full = path.join(history.folder, file.name);
    writeFileSync(full, file.text);
    const { runs } = await history.read();
    expect(historyTrends(runs)).toBeInstanceOf(Array);
    rmSync(full);
  });
});

function forgedRun(value: Json): { readonly name: string; readonly text: string } | null {
  try {
    return historyFile(value as never);
  } catch {
    return null;
  }
}

test('any JSON in place of a report is shown by all reporters, or refused', { timeout: LONG }, async () => {
  const file = path.join(folder, 'report.json');
  await fuzz('reports', mutatedJson(reports), 250, async (value) => {
    writeFileSync(file, JSON.stringify(value));
    const report = await orRefused(() => readReport(file, { cwd: folder }));
    if (report === undefined) return;
    for (const { type } of passkReporters) expect(renderReport(report, { reporter: type })).toBeTypeOf('string');
  });
});

test('a damaged or forged cassette gives what it still holds, or is refused', { timeout: LONG }, async () => {
  const scenario = { name: 'a', file: 'a.toml', trials: 3, digest: 'a'.repeat(64) };
  const tape = encodeTape([
    { kind: 'plan', key: 'A'.repeat(22) },
    { kind: 'silence', key: 'B'.repeat(22) },
  ]);
  const head = encodeCassetteHead({ passk: VERSION, settings: '{}', scenarios: [scenario] }, 0);
  const record = encodeFrame({ kind: 'trial', scenario: 0, trial: 1, bills: [], tape: new Uint8Array(tape) });
  const sound = Uint8Array.from(Buffer.concat([head, record, encodeFrame({ kind: 'end' })]));
  const values = new FrameReader().push(sound);
  const inputs = fc.oneof(
    mutatedBytes([sound]),
    mutatedJson([values]).map((list) => packed(list) ?? new Uint8Array(0)),
  );
  const file = path.join(folder, 'run.cassette');
  await fuzz('cassettes', inputs, 400, async (bytes) => {
    writeFileSync(file, bytes);
    await orRefused(async () => {
      const cassette = await openCassette(file);
      try {
        const found = await cassette.read({ scenario: 0, trial: 1 });
        if (found !== null) decodeTape(found.tape);
      } finally {
        await cassette.close();
      }
    });
  });
  await fuzz('tapes', mutatedBytes([Uint8Array.from(tape)]), 1500, (bytes) => {
    const entries = decodeTape(bytes);
    expect(entries === null || Array.isArray(entries)).toBe(true);
  });
});
