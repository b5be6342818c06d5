import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Executor, ExecutorRunOptions } from '../../src/pool/executor.ts';
import { decodeTally, encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { Isolation } from '../../src/types/isolation.ts';
import type { RunPlan, Traits } from '../../src/types/plan.ts';
import { aPlan } from '../suite/a-tally.ts';
import { FAKE_SHAPE, type FakeBehaviour } from './fixtures/fake-program.ts';
import { SYNC, WAITING } from '../trial/some-traits.ts';

export interface FakeScenario extends FakeBehaviour {
  readonly trials: number;
  readonly userCode?: boolean;
  /** Trials wait: one for each block, run asynchronously. */
  readonly io?: boolean;
  /** Trials wait on the host; code of the user takes part in their judging. */
  readonly hosted?: boolean;
  /** Trials of one block; default 4096, as in a run. Where trials wait it is always 1. */
  readonly blockSize?: number;
  readonly orderGroup?: number;
  readonly waitsFor?: Traits['waitsFor'];
  readonly timeoutMs?: number;
}

/** A plan of fake scenarios. */
export function aRunPlan(scenarios: readonly FakeScenario[], hostFunctions: readonly string[] = []): RunPlan {
  return {
    scenarios: scenarios.map(
      (
        {
          trials,
          userCode = false,
          hosted = false,
          io = hosted,
          blockSize = 4096,
          orderGroup,
          waitsFor,
          timeoutMs = 30_000,
          ...behaviour
        },
        index,
      ) => ({
        ...aPlan(trials, { name: `s${index}`, description: JSON.stringify(behaviour), timeoutMs }),
        index,
        words: [index + 1, 2, 3, 4],
        traits: {
          ...(io ? WAITING : SYNC),
          ...(userCode && { place: 'worker' }),
          ...(hosted && { place: 'host' }),
          orderGroup: orderGroup ?? null,
          ...(waitsFor !== undefined && { waitsFor }),
          longestMs: timeoutMs,
        },
        userCode,
        blockSize: io ? 1 : blockSize,
      }),
    ),
    plugins: [],
    hostFunctions,
  };
}

/** The same in blocks of 256 trials. Each trial of a block that ended a worker is run alone: in one of 4096 that takes long. */
export function inSmallBlocks(scenarios: readonly FakeScenario[]): readonly FakeScenario[] {
  return scenarios.map((scenario) => ({ blockSize: 256, ...scenario }));
}

/** Everything a run yielded, merged per scenario; every block is checked to come once. */
export async function collect(executor: Executor, plan: RunPlan, options: ExecutorRunOptions = {}): Promise<Tally[]> {
  const deltas: Delta[] = [];
  for await (const delta of executor.run(plan, options)) deltas.push(delta);
  return merged(plan, deltas);
}

export function merged(plan: RunPlan, deltas: readonly Delta[]): Tally[] {
  return plan.scenarios.map(({ index }) => {
    const tally = new Tally(FAKE_SHAPE);
    const seen = new Set<number>();
    for (const delta of deltas.filter((candidate) => candidate.scenario === index)) {
      for (let block = delta.fromBlock; block < delta.toBlock; block++) {
        if (seen.has(block)) throw new Error(`Block ${block} of scenario ${index} came twice.`);
        seen.add(block);
      }
      tally.merge(decodeTally(delta.tally, FAKE_SHAPE));
    }
    return tally;
  });
}

/** Bytes of merged results, comparable as text. */
export function bytesOf(tallies: readonly Tally[]): string[] {
  return tallies.map((tally) => Buffer.from(encodeTally(tally)).toString('base64'));
}

/** A thread that is stopped while `require` links an ES module aborts the whole process: what it links must be imported. */
function asLoaded(module: string): string {
  return `Object.defineProperty(exports, '__esModule', { value: true });
    exports.default = async (task) => (await import('${module}')).default(task);`;
}

/** The fake worker of one kind as a file that it can be started with, as the real one is built; `remove` deletes it. */
export async function buildFakeWorker(
  isolation: Isolation = 'thread',
): Promise<{ readonly url: URL; readonly remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-pool-'));
  const name = isolation === 'process' ? 'fake-process' : 'fake-worker';
  await build({
    entryPoints: [fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url))],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
  });
  const starter = path.join(folder, 'starter.cjs');
  writeFileSync(starter, isolation === 'process' ? `import('./${name}.mjs');` : asLoaded(`./${name}.mjs`));
  const url = pathToFileURL(starter);
  return { url, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
