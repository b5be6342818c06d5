import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEngine, type RunSuiteOptions, runSuite } from '../../src/index.ts';
import { aLiveScenario, aRouter } from '../suite/scenarios.ts';

/** What a process holds between two rounds. */
export interface Sample {
  readonly heap: number;
  readonly rss: number;
  /** Open files and sockets, threads, and what keeps the process alive. */
  readonly files: number;
  readonly threads: number;
  readonly resources: number;
}

export interface Soak {
  readonly rounds: number;
  readonly samples: readonly Sample[];
}

/** Runs every kind of run again and again in this process; `goOn` is asked after each round. */
export async function soak(goOn: (rounds: number) => boolean): Promise<Soak> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-soak-'));
  const server = createServer((_, response) => response.end('{"ok": true}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const samples: Sample[] = [];
  let rounds = 0;
  try {
    const engine = createEngine({ workers: 1 });
    try {
      do {
        await round(engine, folder, port);
        server.closeIdleConnections();
        samples.push(await sample());
        rounds++;
      } while (goOn(rounds));
    } finally {
      await engine.close();
    }
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true, force: true });
  }
  return { rounds, samples };
}

type Engine = ReturnType<typeof createEngine>;

async function round(engine: Engine, folder: string, port: number): Promise<void> {
  const pure: RunSuiteOptions = { scenarios: [aRouter({ trials: 20_000 })], cwd: folder };
  // A pool that is kept, one of its own, and none.
  await engine.run({ ...pure, trials: 50_000 });
  await runSuite({ ...pure, workers: 2, trials: 300_000 });
  await runSuite({ ...pure, workers: 0 });
  // With a journal and without, stopped, failing, and asking a real server.
  await runSuite({ ...pure, workers: 0, journal: { folder: path.join(folder, 'journal'), resume: false } });
  await runSuite({ ...pure, workers: 1, trials: 2_000_000, signal: AbortSignal.timeout(20) });
  await runSuite({ ...crashing(), cwd: folder, workers: 1 });
  await runSuite({ ...asking(port), cwd: folder, workers: 1, permissions: { net: [`127.0.0.1:${port}`] } });
}

/** Code of the user that answers, throws and never answers, by turns. */
function crashing(): RunSuiteOptions {
  let calls = 0;
  const run = (): Promise<never> => {
    calls++;
    if (calls % 3 === 0) throw new Error('no answer');
    return calls % 3 === 1 ? Promise.reject(new Error('rejected')) : new Promise(() => undefined);
  };
  return { scenarios: [aLiveScenario()], nodes: { look_up: { labels: ['found'], run } }, timeoutMs: 60 };
}

function asking(port: number): RunSuiteOptions {
  return {
    scenarios: [
      {
        name: 'asks',
        trials: 20,
        workflow: {
          inline: {
            name: 'asks',
            startNodes: [{ name: 'main', source: 'manual', entryNode: 'fetch' }],
            nodes: [{ id: 'fetch', type: 'http_request', method: 'GET', urlFrom: 'trigger.url' }],
            edges: [],
          },
        },
        trigger: { payload: { url: `http://127.0.0.1:${port}/` } },
        expected: { status: 'completed' },
      },
    ],
  };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function sample(): Promise<Sample> {
  // Twice: what the first collection frees lets go of more.
  for (let i = 0; i < 2; i++) {
    await nextTurn();
    collect();
  }
  const { heapUsed, rss } = process.memoryUsage();
  return {
    heap: heapUsed,
    rss,
    files: entries('/proc/self/fd'),
    threads: entries('/proc/self/task'),
    resources: process.getActiveResourcesInfo().length,
  };
}

/** 0 where the system does not tell. */
function entries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

/** Growth of one measure over all rounds by least squares, as a share of its mean; the first third warms up. */
export function growth(samples: readonly Sample[], of: keyof Sample): number {
  const values = samples.slice(Math.floor(samples.length / 3)).map((one) => one[of]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  let above = 0;
  let below = 0;
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean);
    below += (index - middle) ** 2;
  }
  return below === 0 || mean === 0 ? 0 : ((above / below) * (values.length - 1)) / mean;
}
