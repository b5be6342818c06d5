import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { runSuite } from '../src/suite/run-suite.ts';
import type { Bench, Row } from './bench.ts';
import { timeProcess, timeToOutput } from './child-process.ts';
import { alternate, timeOnce } from './pairs.ts';
import { scenarioText } from './scenario-files.ts';
import { firstOf, planOf, programOf, ROUTE3 } from './subjects.ts';

/** Points 4 and 5: small runs, whole processes, and worker threads. */
export const startBench: Bench = {
  name: 'start',
  about: 'small runs against forced inline, process and worker starts against empty ones',
  async run({ quick, folder }) {
    const pairs = quick ? 5 : 21;
    const rows: Row[] = [];
    for (const trials of [1e3, 1e4, 1e5]) {
      const { ratio } = await alternate(
        pairs,
        () => timeOnce(() => runSuite({ scenarios: [ROUTE3], trials, workers: 0 })),
        () => timeOnce(() => runSuite({ scenarios: [ROUTE3], trials, workers: 2 })),
      );
      rows.push({ name: `10^${Math.log10(trials)} trials: default / inline`, value: ratio, unit: 'x', atMost: 1.1 });
    }
    rows.push(...(await processes(folder, pairs)), ...(await workers(folder, pairs)), await coldProgram());
    return rows;
  },
};

async function processes(folder: string, pairs: number): Promise<readonly Row[]> {
  const empty = path.join(folder, 'empty.cjs');
  const scenario = path.join(folder, 'start.toml');
  writeFileSync(empty, '');
  writeFileSync(scenario, scenarioText(0));
  const run = [path.join(folder, 'passk.cjs'), 'run', scenario];
  const unkept = await alternate(
    pairs,
    () => timeProcess([empty]),
    () => timeProcess(run, { NODE_DISABLE_COMPILE_CACHE: '1' }),
  );
  // The first start writes the cache.
  await timeProcess(run);
  const toEmpty = (what: () => Promise<number>): ReturnType<typeof alternate> =>
    alternate(pairs, () => timeProcess([empty]), what);
  const first = await toEmpty(() => timeToOutput(run));
  const whole = await toEmpty(() => timeProcess(run));
  const thousand = await toEmpty(() => timeProcess([...run, '--trials', '1000']));
  return [
    { name: 'empty Node process', value: first.a, unit: 'ms' },
    { name: 'passk run of one scenario, to its first result', value: first.b, unit: 'ms' },
    { name: 'passk run to its first result / empty process', value: first.ratio, unit: 'x' },
    { name: 'passk run to its end / empty process', value: whole.ratio, unit: 'x', atMost: 3 },
    { name: 'the same with 1,000 trials', value: thousand.ratio, unit: 'x', note: 'the scenario itself asks for 20' },
    {
      name: 'the same where nothing is cached',
      value: unkept.ratio,
      unit: 'x',
      note: 'a first start, or no place for it',
    },
  ];
}

async function workers(folder: string, pairs: number): Promise<readonly Row[]> {
  const say = "require('node:worker_threads').parentPort.postMessage(1);\n";
  const [empty, full] = [path.join(folder, 'empty-worker.cjs'), path.join(folder, 'full-worker.cjs')];
  writeFileSync(empty, say);
  // What the pool loads in each of its workers.
  writeFileSync(full, `require('./load-trial-worker.cjs');\n${say}`);
  const { a, b, ratio } = await alternate(
    pairs,
    () => timeWorker(empty),
    () => timeWorker(full),
  );
  return [
    { name: 'empty worker to its first message', value: a, unit: 'ms' },
    { name: 'trial worker to its first message', value: b, unit: 'ms' },
    { name: 'trial worker / empty worker', value: ratio, unit: 'x', atMost: 1.6 },
  ];
}

async function timeWorker(file: string): Promise<number> {
  let worker: Worker | null = null;
  const took = await timeOnce(
    () =>
      new Promise((resolve, reject) => {
        worker = new Worker(pathToFileURL(file)).once('message', resolve).once('error', reject);
      }),
  );
  await (worker as Worker | null)?.terminate();
  return took;
}

/** From a plan to the end of the first trial, with code that has run before. */
async function coldProgram(): Promise<Row> {
  const plan = firstOf(await planOf([ROUTE3]));
  const { a } = await alternate(
    51,
    () =>
      timeOnce(async () => {
        const program = await programOf(plan);
        program.run(1, 2, program.newTally());
      }),
    () => 0,
  );
  return { name: 'plan to the end of its first trial', value: a * 1000, unit: 'us' };
}
