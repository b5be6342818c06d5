import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const LIBRARY = new URL('../../dist/src/index.js', import.meta.url).href;
const SCRIPT = `
  import { existsSync, readdirSync } from 'node:fs';
  import { runSuite } from ${JSON.stringify(LIBRARY)};
  const scenario = (name) => ({
    name,
    trials: 20,
    timeoutMs: 200,
    workflow: { inline: {
      name: 'live',
      startNodes: [{ name: 'main', source: 'manual', entryNode: 'look' }],
      nodes: [{ id: 'look', type: 'look_up', keyFrom: 'trigger.key' }],
    } },
    trigger: { payload: { key: name } },
    expected: { lastNode: 'look' },
  });
  const threads = () => (existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : 0);
  await runSuite({ scenarios: [scenario('answered')], workers: 2, nodes: { look_up: { reads: ['keyFrom'], run: () => 1 } } });
  const before = threads();
  const stop = new AbortController();
  let ended = 0;
  let answered = 0;
  let begun = 0;
  const report = await runSuite({
    scenarios: [scenario('answered'), scenario('stuck'), scenario('cut off')],
    workers: 2,
    concurrency: 30,
    signal: stop.signal,
    nodes: { look_up: { reads: ['keyFrom'], run: ([key], config, { signal }) => {
      signal.addEventListener('abort', () => ended++);
      if (key === 'cut off') begun++;
      if (key === 'answered') answered++;
      // Whatever comes first: all calls that are answered, and one that is cut off.
      if (answered >= 20 && begun > 0) setTimeout(() => stop.abort(), 300);
      return key === 'answered' ? 'here' : new Promise(() => {});
    } } },
  });
  // The pipe is this script's own output.
  const left = () => process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
  // What ends takes a moment, and longer on a machine that is busy.
  for (let waits = 0; waits < 200 && (waits === 0 || left().length > 0 || threads() > before); waits++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log(JSON.stringify({
    executed: report.scenarios.map(({ trials }) => trials.executed),
    left: left(),
    ended: ended > 0,
    threads: threads() - before,
  }));
`;

test('a run leaves no timer, port or worker behind, whether its calls are answered, late or cut off', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd,
    timeout: 120_000,
  });
  const told = JSON.parse(stdout) as { executed: number[]; left: string[]; ended: boolean; threads: number };
  expect(told.executed[0]).toBe(20);
  expect(told.ended).toBe(true);
  expect(told.left).toEqual([]);
  expect(told.threads).toBe(0);
});
