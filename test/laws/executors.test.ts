import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeShards, type RunSuiteOptions, runShard, runSuite, runWorker, type SuiteReport } from '../../src/index.ts';
import type { Executor } from '../../src/pool/executor.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import { foldRun } from '../../src/suite/run-suite.ts';
import { gateRun } from '../../src/suite/gate-run.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { createRunner } from '../../src/suite/runner.ts';
import type { Json } from '../../src/types/json.ts';
import type { RunPlan, WorkflowPlan } from '../../src/types/plan.ts';
import { jsonText } from '../../src/values/json-text.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { arbitrarySuite, type SuiteFiles } from './arbitrary-suite.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const RUNS = Math.ceil(LAW_RUNS / 15);
const LONG = 120_000 + RUNS * 10_000;

const threads = createWorkersExecutor({ workers: 2 });
const processes = createWorkersExecutor({ workers: 2, isolation: 'process' });
const leave = new AbortController();
let redis: ARedis | null = null;
let worker: Promise<void> = Promise.resolve();
let root: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'passk-executors-'));
  if (skipsRedis) return;
  redis = await aRedis();
  worker = runWorker({ queue: redis.url, workers: 0, name: 'law', signal: leave.signal });
});

afterAll(async () => {
  leave.abort();
  await worker;
  await redis?.stop();
  await Promise.all([threads.close(), processes.close()]);
  rmSync(root, { recursive: true, force: true });
});

/** The report's bytes without what may differ between runs. */
function bytesOf({ timing: _, ...report }: SuiteReport): string {
  return JSON.stringify(report, null, 1);
}

let suites = 0;

function writeSuite(files: SuiteFiles): string {
  const cwd = path.join(root, String(suites++));
  mkdirSync(cwd);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
  return cwd;
}

/** The report of a run whose trials all go through one executor. */
async function through(
  executor: Executor,
  options: RunSuiteOptions,
  travel: (plan: RunPlan) => RunPlan = (plan) => plan,
): Promise<SuiteReport> {
  const resolved = resolveRunOptions(options);
  const { input, plan } = await prepareRun(resolved);
  const runner = createRunner(resolved);
  const travelling: Executor = {
    run: (same, runOptions) => executor.run(travel(same), runOptions),
    close: () => Promise.resolve(),
  };
  const run = await runner.run(plan, resolved, () => travelling);
  const folded = await foldRun({ input: { ...input, notRun: [] }, plan, run, options: resolved });
  return gateRun(folded, { before: null, after: null, ran: { plan, tallies: [] }, options: resolved });
}

/** A run that is killed after its first results and resumed: the journal ends anywhere after its head. */
async function resumed(options: RunSuiteOptions, cut: number): Promise<SuiteReport> {
  const folder = mkdtempSync(path.join(root, 'journal-'));
  const file = path.join(folder, 'run.journal');
  await runSuite({ ...options, journal: folder });
  const bytes = readFileSync(file);
  const head = headLength(bytes);
  writeFileSync(file, bytes.subarray(0, head + Math.floor((bytes.length - head) * cut)));
  return runSuite({ ...options, journal: { folder, resume: true } });
}

/** Eight bytes of length and checksum stand before each record. */
function headLength(bytes: Buffer): number {
  return 8 + bytes.readUInt32LE(0);
}

/** As many parts, each killed once and resumed, merged in another order. */
async function sharded(options: RunSuiteOptions, count: number, cut: number): Promise<SuiteReport> {
  const parts: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (let index = 1; index <= count; index++) {
    const folder = mkdtempSync(path.join(root, 'shard-'));
    const shard = { index, count };
    await runShard({ ...options, shard, journal: folder });
    const file = path.join(folder, 'run.journal');
    const bytes = readFileSync(file);
    const head = headLength(bytes);
    writeFileSync(file, bytes.subarray(0, head + Math.floor((bytes.length - head) * cut)));
    const part = await runShard({ ...options, shard, journal: { folder, resume: true } });
    parts.unshift({ name: `${index}.shard`, bytes: part.bytes });
  }
  const { report } = await mergeShards(parts);
  return report;
}

test('every executor gives the same report, whatever the order of keys', { timeout: LONG }, async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitrarySuite,
      fc.integer({ min: 1, max: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (files, count, cut) => {
        const options: RunSuiteOptions = { cwd: writeSuite(files), workers: 0 };
        const plain = bytesOf(await runSuite(options));
        expect(bytesOf(await through(threads, options))).toBe(plain);
        expect(bytesOf(await through(processes, options))).toBe(plain);
        expect(bytesOf(await resumed(options, cut))).toBe(plain);
        expect(bytesOf(await sharded(options, count, cut))).toBe(plain);
        if (redis !== null) expect(bytesOf(await runSuite({ ...options, queue: redis.url }))).toBe(plain);
      },
    ),
    { numRuns: RUNS },
  );
});

test('a plan whose keys are sorted on its way is noticed', { timeout: LONG }, async () => {
  const sortKeys = ({ scenarios, ...plan }: RunPlan): RunPlan => ({
    ...plan,
    scenarios: scenarios.map((scenario) => JSON.parse(jsonText(scenario as unknown as Json)) as WorkflowPlan),
  });
  const saboteur = fc.asyncProperty(arbitrarySuite, async (files) => {
    const options: RunSuiteOptions = { cwd: writeSuite(files), workers: 0 };
    const sorted = await through(threads, options, sortKeys);
    expect(bytesOf(sorted)).toBe(bytesOf(await runSuite(options)));
  });
  const { failed, errorInstance } = await fc.check(saboteur, { numRuns: RUNS, endOnFailure: true });
  expect(failed).toBe(true);
  // Positions that mean something else are refused before anything is counted by them.
  expect(errorInstance).toMatchObject({ code: 'INTEGRITY' });
});
