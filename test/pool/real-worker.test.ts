import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeTally, decodeTally } from '../../src/pool/tally/tally-codec.ts';
import { createInlineExecutor } from './inline-executor.ts';
import { startClock } from '../../src/pool/start-clock.ts';
import { workerUrl } from '../../src/pool/slots/worker-url.ts';
import { createWorkersExecutor } from '../../src/pool/workers-executor.ts';
import type { Executor } from '../../src/pool/executor.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { buildProgram } from '../../src/trial/build-program.ts';
import { describeProgram } from '../../src/trial/describe-program.ts';
import { shapeOf } from '../../src/trial/tally/tally-shape.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import type { RunPlan } from '../../src/types/plan.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'passk-worker-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const SCENARIO = `
name = "route"

[workflow]
inline = """
name = "route"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "classify"

[[nodes]]
id = "classify"
type = "llm_infer"
backend = "default"
prompt = "Which way?"
output_schema = "inline"

[[nodes]]
id = "route"
type = "switch"
expr = "classify.parsed.way"

[[nodes]]
id = "left"
type = "terminate"

[[nodes]]
id = "right"
type = "terminate"

[[edges]]
from = "classify"
to = "route"

[[edges]]
from = "route"
when = "left"
to = "left"

[[edges]]
from = "route"
when = "right"
to = "right"
"""

[trigger]
kind = "manual"

[[intel.turns]]
[[intel.turns.variants]]
content = '{"way": "left"}'
[[intel.turns.variants]]
content = '{"way": "right"}'
[[intel.turns.variants]]
content = 'no answer'

[expected]
last_node = "left"
`;

async function merged(executor: Executor, plan: RunPlan): Promise<string[]> {
  const tallies = plan.scenarios.map((scenario) => new Tally(shapeOf(describeProgram(scenario))));
  try {
    for await (const { scenario, tally } of executor.run(plan)) {
      const sum = tallies[scenario];
      sum?.merge(decodeTally(tally, sum.shape));
    }
  } finally {
    await executor.close();
  }
  return tallies.map((tally) => Buffer.from(encodeTally(tally)).toString('base64'));
}

describe('the worker file', () => {
  const FILE = 'load-trial-worker.cjs';
  const at = (...parts: readonly string[]) => pathToFileURL(path.join(root, ...parts)).href;
  const put = (text: string, ...parts: readonly string[]) => {
    mkdirSync(path.join(root, ...parts, '..'), { recursive: true });
    writeFileSync(path.join(root, ...parts), text);
  };

  test('stands beside the command, and three folders up from the library', async () => {
    put('', 'dist', 'bin', FILE);
    const found = at('dist', 'bin', FILE);
    expect((await workerUrl(at('dist', 'bin', 'index.js'))).href).toBe(found);
    expect((await workerUrl(at('dist', 'src', 'pool', 'slots', 'worker-url.js'))).href).toBe(found);
  });

  test('is asked for by name when it is missing', async () => {
    await expect(workerUrl(at('dist', 'bin', 'index.js'))).rejects.toMatchObject({ code: 'POOL' });
    await expect(workerUrl(at('src', 'pool', 'slots', 'worker-url.ts'))).rejects.toMatchObject({
      code: 'POOL',
      hint: 'Run `npm run build`.',
    });
  });

  test('must have been built from the present sources', async () => {
    put('', 'dist', 'bin', FILE);
    put('one', 'dist', 'stamp.txt');
    put("export const hashSources = () => 'two';", 'scripts', 'build.mjs');
    await expect(workerUrl(at('src', 'pool', 'slots', 'worker-url.ts'))).rejects.toMatchObject({ code: 'POOL' });
    put('two', 'dist', 'stamp.txt');
    expect((await workerUrl(at('src', 'pool', 'slots', 'worker-url.ts'))).href).toBe(at('dist', 'bin', FILE));
  });
});

test('the built worker gives the bytes of the calling thread', async () => {
  writeFileSync(path.join(root, 'route.toml'), SCENARIO);
  const options = resolveRunOptions({ paths: [root], trials: 30_000 });
  const input = await loadFor(options);
  expect(input.suite.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const plan = planRun({ ...input, scenarios: input.suite.scenarios }, options);
  const inline = createInlineExecutor({
    compile: (scenario, services) => buildProgram(scenario, { ...services, startClock, effects: null }),
  });
  const built = new URL('../../dist/bin/load-trial-worker.cjs', import.meta.url);
  const workers = createWorkersExecutor({ workers: 2, maxClaim: 1, workerUrl: built });
  expect(await merged(workers, plan)).toEqual(await merged(inline, plan));
});

// A thread that is stopped while `require` links an ES module aborts the whole process: one in some hundred early stops.
test('the worker file gives a pool its functions by a plain require, which links no ES module', () => {
  const built = fileURLToPath(new URL('../../dist/bin/load-trial-worker.cjs', import.meta.url));
  const program = `
    const { default: work, inspect } = require(${JSON.stringify(built)});
    const files = Object.keys(require.cache).map((file) => file.split(/[\\\\/]/).at(-1));
    console.log(JSON.stringify([typeof work, typeof inspect, files]));`;
  const { stdout } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual(['function', 'function', ['load-trial-worker.cjs']]);
});
