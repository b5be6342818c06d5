import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compileJsonSchema } from '../src/engine/compile-json-schema.ts';
import { compileWorld } from '../src/sessions/world/declared-world.ts';
import { resolveRunOptions } from '../src/settings/options.ts';
import { prepareRun } from '../src/suite/run-suite.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import type { ScenarioPlan } from '../src/types/plan.ts';
import type { DeclaredWorld } from '../src/types/sessions/declared-world.ts';
import { deepEqual } from '../src/values/deep-equal.ts';
import type { Bench, BenchOptions, Row } from './bench.ts';
import { runChild } from './child-process.ts';
import { timeInspectSessions } from './inspect-sessions.ts';
import { alternate, median, processorTime, timeOnce, timePerOperation } from './pairs.ts';
import {
  hasLangGraph,
  HTTP_AGENT,
  type SessionFiles,
  STEPS,
  STOCK,
  writeHttpSessions,
  writeSessions,
} from './session-files.ts';
import { programOf } from './subjects.ts';

/** Agents with tools and a user: how fast sessions are held, and what they leave in memory. */
export const sessionsBench: Bench = {
  name: 'sessions',
  about: 'sessions of ten steps: canned agents, modules, agents that wait, LangGraph.js',
  async run(options) {
    return [
      ...(await canned(options)),
      ...(await modules(options)),
      ...(await waiting(options)),
      ...(await overHttp(options)),
      ...memory(options),
      ...langGraph(options),
    ];
  },
};

async function canned({ folder, quick }: BenchOptions): Promise<readonly Row[]> {
  const plan = await planOf(writeSessions(folder, 'canned'));
  const program = await programOf(plan);
  const tally = program.newTally();
  let from = 0;
  const block = 500;
  const { a, ratio } = await alternate(
    quick ? 3 : 9,
    () =>
      timePerOperation(block, quick ? 100 : 300, () => {
        program.run(from, from + block, tally);
        from += block;
      }),
    () => timePerOperation(block, quick ? 100 : 300, () => heldByHand(block)),
  );
  if (tally.passed !== from) throw new Error(`of ${from} canned sessions ${tally.passed} passed`);
  const world = compileWorld(worldOf(plan), compileJsonSchema);
  const worlds = await timePerOperation(block, quick ? 100 : 300, () => {
    for (let at = 0; at < block; at++) world.open().call('take', { part: 'part-1' });
  });
  return [
    { name: 'canned agents, one thread', value: 1e9 / a, unit: '/s', atLeast: 5000 },
    { name: 'a canned session / the same by hand', value: 1 / ratio, unit: 'x' },
    { name: 'fresh worlds with one call each', value: 1e9 / worlds, unit: '/s', atLeast: 10_000 },
  ];
}

/** What such sessions are where nobody keeps what was said and done: a copy of the state, ten calls, a comparison. */
function heldByHand(sessions: number): number {
  const state = { taken: [] as string[], stock: STOCK };
  let passed = 0;
  for (let session = 0; session < sessions; session++) {
    const [mine, gold] = [structuredClone(state), structuredClone(state)];
    for (const world of [mine, gold]) {
      for (let at = 0; at < STEPS; at++) {
        const part = world.stock[`part-${at}`];
        if (part !== undefined) part.stock--;
        world.taken.push(`part-${at}`);
      }
    }
    if (deepEqual(mine, gold)) passed++;
  }
  return passed;
}

interface HandTools {
  readonly tools: readonly { execute(args: { readonly part: string }): unknown }[];
}
type HandAgent = (session: HandTools, wait: number) => () => Promise<string>;

async function modules({ folder, quick }: BenchOptions): Promise<readonly Row[]> {
  const files = writeSessions(folder, 'module');
  const { steps } = (await import(pathToFileURL(files.module ?? '').href)) as { readonly steps: HandAgent };
  const sessions = quick ? 5000 : 20_000;
  const { a, ratio } = await alternate(
    quick ? 1 : 3,
    async () => (await usedBy(files, sessions * 2)) / sessions - (await usedBy(files, sessions)) / sessions,
    async () => {
      const start = processorTime();
      for (let session = 0; session < sessions; session++) await heldWith(steps, 0);
      return (processorTime() - start) / sessions;
    },
  );
  return [
    { name: 'modules, processor time of all threads', value: 1e9 / a, unit: '/s', atLeast: 5000 },
    { name: 'a session / calling the agent by hand', value: 1 / ratio, unit: 'x' },
    ...besideInspect(a, { folder, quick }),
  ];
}

/** `ours`: nanoseconds of processor time of a session whose agent is a module. */
function besideInspect(ours: number, { folder, quick }: BenchOptions): readonly Row[] {
  const theirs = timeInspectSessions(folder, quick ? 4 : 20, quick ? 20 : 100);
  if (theirs === null) {
    process.stderr.write('bench: no .passk/python-inspect: its sessions are not measured\n');
    return [];
  }
  return [
    { name: 'Inspect, the same steps and tool', value: 1e9 / theirs, unit: '/s' },
    { name: 'sessions of modules / of Inspect', value: theirs / ours, unit: 'x' },
  ];
}

/** Nanoseconds of processor time for a run of so many sessions. */
async function usedBy(files: SessionFiles, trials: number): Promise<number> {
  const start = processorTime();
  await run(files, { trials, workers: 1 });
  return processorTime() - start;
}

/** Calls an agent as a loop would that keeps nothing. */
async function heldWith(steps: HandAgent, wait: number): Promise<void> {
  const stock = structuredClone(STOCK);
  const execute = ({ part }: { readonly part: string }) => {
    const found = stock[part];
    if (found !== undefined) found.stock--;
    return { left: found?.stock };
  };
  const answer = steps({ tools: [{ execute }] }, wait);
  for (let said = await answer(); said.endsWith('?'); ) said = await answer();
}

const IN_FLIGHT = 500;
const WAIT_MS = 50;

async function waiting({ folder, quick }: BenchOptions): Promise<readonly Row[]> {
  const files = writeSessions(folder, 'waits');
  // In the first rounds V8 compiles what the threads need, which are new in each run.
  const rounds = quick ? 2 : 12;
  // Of two sizes, so that starting and the last sessions cancel.
  const { a, ratio } = await alternate(
    quick ? 1 : 3,
    async () => {
      const few = await timeOnce(() => run(files, { trials: IN_FLIGHT, workers: 2, concurrency: IN_FLIGHT }));
      const many = IN_FLIGHT * (rounds + 1);
      return ((await timeOnce(() => run(files, { trials: many, workers: 2, concurrency: IN_FLIGHT }))) - few) / rounds;
    },
    async () => {
      const { steps } = (await import(pathToFileURL(files.module ?? '').href)) as { readonly steps: HandAgent };
      const loop = async () => {
        for (let round = 0; round < rounds; round++) await heldWith(steps, WAIT_MS);
      };
      return (await timeOnce(() => Promise.all(Array.from({ length: IN_FLIGHT }, loop)))) / rounds;
    },
  );
  const ideal = STEPS * WAIT_MS;
  return [
    {
      name: '500 in flight, 50 ms an answer: rate / ideal',
      value: ideal / a,
      unit: 'x',
      ...(!quick && { atLeast: 0.9 }),
    },
    { name: 'the same / by hand', value: ratio, unit: 'x' },
  ];
}

const HTTP_IN_FLIGHT = 64;

async function overHttp({ folder, quick }: BenchOptions): Promise<readonly Row[]> {
  const server = new Worker(HTTP_AGENT, { eval: true, workerData: WAIT_MS });
  try {
    const [port] = (await once(server, 'message')) as [number];
    const files = writeHttpSessions(folder, `http://127.0.0.1:${port}/`);
    const rounds = quick ? 4 : 12;
    const held = (trials: number) => timeOnce(() => run(files, { trials, workers: 1, concurrency: HTTP_IN_FLIGHT }));
    const samples: number[] = [];
    for (let sample = 0; sample < (quick ? 1 : 3); sample++) {
      const few = await held(HTTP_IN_FLIGHT);
      samples.push(((await held(HTTP_IN_FLIGHT * (rounds + 1))) - few) / rounds);
    }
    const ideal = STEPS * WAIT_MS;
    return [{ name: '64 in flight over HTTP: rate / ideal', value: ideal / median(samples), unit: 'x', atLeast: 0.9 }];
  } finally {
    await server.terminate();
  }
}

function memory({ folder, quick }: BenchOptions): readonly Row[] {
  const files = writeSessions(folder, 'canned');
  const [few, many] = quick ? [1e4, 1e5] : [1e5, 1e6];
  const peaks = [peak(folder, files, few), peak(folder, files, many)] as const;
  // A worker's memory has not reached its level after ten thousand.
  return peakRows('canned', peaks, { few, many, ...(!quick && { atMost: 1.05 }) });
}

function langGraph({ folder }: BenchOptions): readonly Row[] {
  if (!hasLangGraph(folder)) {
    process.stderr.write('bench: no .passk/langgraph: its agents are not measured\n');
    return [];
  }
  const files = writeSessions(folder, 'langgraph');
  const [few, many] = [1e3, 1e4];
  return peakRows('LangGraph.js', [peak(folder, files, few), peak(folder, files, many)], { few, many, atMost: 1.1 });
}

function peak(folder: string, { file, module }: SessionFiles, trials: number): number {
  return runChild(folder, 'sessions', JSON.stringify({ file, module, trials })).peakMiB;
}

function peakRows(
  agents: string,
  [low, high]: readonly [number, number],
  { few, many, ...bar }: { readonly few: number; readonly many: number; readonly atMost?: number },
): readonly Row[] {
  const name = `${agents}: peak memory`;
  const power = (count: number): string => `10^${Math.log10(count)}`;
  return [
    { name: `${name}, ${power(few)} sessions`, value: low, unit: 'MiB' },
    { name: `${name}, ${power(many)} sessions`, value: high, unit: 'MiB' },
    { name: `${name}, ${power(many)} / ${power(few)}`, value: high / low, unit: 'x', ...bar },
  ];
}

async function planOf({ file }: SessionFiles): Promise<ScenarioPlan> {
  const { plan } = await prepareRun(resolveRunOptions({ paths: [file], trials: 1_000_000 }));
  const [first] = plan.scenarios;
  if (first === undefined) throw new Error('no session is planned');
  return first;
}

function worldOf({ scenario: { subject } }: ScenarioPlan): DeclaredWorld {
  if (subject.kind !== 'session') throw new Error('no session is planned');
  return subject.world;
}

/** Throws where a session did not pass: what is measured must be right. */
async function run(
  { file, module }: SessionFiles,
  options: { readonly trials: number; readonly workers: number; readonly concurrency?: number },
): Promise<void> {
  const permissions = module === null ? { net: ['127.0.0.1'] } : { run: [module] };
  const { summary } = await runSuite({ paths: [file], permissions, ...options });
  if (summary.trials.passed !== options.trials) throw new Error(`${file}: not every session passed`);
}
