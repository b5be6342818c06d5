import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { descendantsOf, nameOf, processorMsOf } from '../support/processes.ts';
import { aWorker } from './a-worker.ts';
import { expectEnds, heardBy, type Mode, type Running, SIGNALS, writeAll } from './ends-by-signal.ts';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

/** Says that code of a node or an agent has begun, and never ends. */
const BUSY = "writeFileSync('at-work', ''); for (;;);";
/** The same, and leaves the processors to others. */
const STUCK = "writeFileSync('at-work', ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
/** Takes time of the clock and next to none of a processor; says that trials run once a block of them has run. */
const SLOW = `if ((globalThis.ran = (globalThis.ran ?? -1) + 1) % 4096 === 0) {
  if (globalThis.ran > 0) writeFileSync('at-work', '');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}`;
const ENDLESS = aGreeting({ trials: 4_000_000_000 });

/** Twice what a start takes of a processor, however busy the machine is. The first start of a build compiles, and takes longer. */
const hasWorked = ({ pid }: Running): boolean => (processorMsOf(pid) ?? 0) >= 350 && heardBy(pid).includes('SIGHUP');
const hasBegun = ({ cwd }: Running): boolean => existsSync(path.join(cwd, 'at-work'));

/** A scenario whose node runs this code in each of so many trials. */
function running(code: string, trials = 8): Mode['files'] {
  return {
    'nodes.mjs': `import { writeFileSync } from 'node:fs';
export const trouble = {
  kind: 'node', type: 'trouble', summary: 'Takes its time.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => { ${code} return { kind: 'done', output: 'fine' }; } }),
};`,
    'a.toml': aGreeting({ trials }).replace(/type = "template_render"[^[]*/, 'type = "trouble"\n\n'),
  };
}
const PLUGIN = ['--plugin', './nodes.mjs'];

/** A scenario whose one node starts a program that nobody waits for so long. */
const RUNS_SLEEP = `name = "sleeps"
trials = 1
[workflow]
inline = '''
name = "sleeps"
start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]
nodes = [{ id = "n", type = "shell_run", command = "/usr/bin/sleep", args_from = "trigger.args" }]
edges = []
'''
[trigger]
kind = "manual"
payload = { args = ["7654"] }
[policy.shell]
commands = ["/usr/bin/sleep"]
[expected]
status = "completed"
`;
const hasStartedSleep = ({ pid }: Running): boolean => descendantsOf(pid).some((one) => nameOf(one) === 'sleep');

/** A contract whose agent never answers. */
function aContract(agent: string): string {
  return `[agent]\n${agent}\n
[contract]
name = "mute"
prompts = ["Hello?"]
[[contract.invariants]]
id = "answers"
type = "regex"
pattern = "."
`;
}

const MODES: Readonly<Record<string, Mode>> = {
  'a run on the calling thread': {
    args: ['run', 'a.toml', '--workers', '0', '--json'],
    files: { 'a.toml': ENDLESS },
    isAtWork: hasWorked,
    once: 130,
  },
  'a run in threads': {
    args: ['run', 'a.toml', '--workers', '2', '--json'],
    files: { 'a.toml': ENDLESS },
    isAtWork: hasWorked,
    once: 130,
  },
  'a run with a journal': {
    args: ['run', 'a.toml', '--workers', '2', '--journal', 'kept', '--json', ...PLUGIN],
    files: running(SLOW, 4_000_000_000),
    isAtWork: hasBegun,
    once: 130,
  },
  'a run that hangs in a thread': {
    args: ['run', 'a.toml', '--json', ...PLUGIN],
    files: running(BUSY),
    isAtWork: hasBegun,
    once: 130,
  },
  'a run that hangs in a thread beside the calling one': {
    args: ['run', 'a.toml', '--workers', '0', '--json', ...PLUGIN],
    files: running(STUCK),
    isAtWork: hasBegun,
    once: 130,
  },
  'a run that hangs in a process': {
    args: ['run', 'a.toml', '--isolation', 'process', '--json', ...PLUGIN],
    files: running(BUSY),
    isAtWork: hasBegun,
    once: 130,
  },
  'a shard': {
    args: ['run', 'a.toml', '--shard', '1/2', '--out', 'x.shard', ...PLUGIN],
    // A shard keeps the verdict of each of its trials.
    files: running(SLOW, 100_000_000),
    isAtWork: hasBegun,
    once: 130,
  },
  'a trace of a trial that hangs': {
    args: ['trace', 'a.toml', ...PLUGIN],
    files: running(STUCK),
    isAtWork: hasBegun,
    once: 'signal',
  },
  'a trace in a process': {
    args: ['trace', 'a.toml', '--isolation', 'process', ...PLUGIN],
    files: running(STUCK),
    isAtWork: hasBegun,
    once: 'signal',
  },
  'a run of a program that never ends': {
    args: ['run', 'a.toml', '--allow-run', '--json'],
    files: { 'a.toml': RUNS_SLEEP },
    isAtWork: hasStartedSleep,
    once: 130,
  },
  'a run of a program that never ends, in a process': {
    args: ['run', 'a.toml', '--isolation', 'process', '--allow-run', '--json'],
    files: { 'a.toml': RUNS_SLEEP },
    isAtWork: hasStartedSleep,
    once: 130,
  },
  'a watch': {
    args: ['run', 'a.toml', '--watch', ...PLUGIN],
    files: running(STUCK),
    isAtWork: hasBegun,
    once: 130,
  },
  'a trace of a program that never ends': {
    args: ['trace', 'a.toml', '--allow-run'],
    files: { 'a.toml': RUNS_SLEEP },
    isAtWork: hasStartedSleep,
    once: 'signal',
  },
  'an agent that is a program and never answers': {
    args: ['contract', 'run', 'c.toml', '--allow-run', '--json'],
    files: {
      'agent.mjs': `import { writeFileSync } from 'node:fs';\n${STUCK}`,
      'c.toml': aContract(`command = [${JSON.stringify(process.execPath)}, "agent.mjs"]`),
    },
    isAtWork: hasBegun,
    once: 130,
  },
  'a score of an agent that never answers': {
    args: ['contract', 'score', 'c.toml', '--allow-run'],
    files: {
      'agent.mjs': `import { writeFileSync } from 'node:fs';\n${STUCK}`,
      'c.toml': aContract(`command = [${JSON.stringify(process.execPath)}, "agent.mjs"]`),
    },
    isAtWork: hasBegun,
    once: 'signal',
  },
  'an agent that is a module and never answers': {
    args: ['contract', 'run', 'c.toml', '--allow-run', '--json'],
    files: {
      'agent.mjs': `import { writeFileSync } from 'node:fs';\nexport default () => { ${STUCK} };`,
      'c.toml': aContract('module = "agent.mjs"'),
    },
    isAtWork: hasBegun,
    once: 130,
  },
};

// Elsewhere nobody tells what a process is at.
describe.runIf(process.platform === 'linux')('Ctrl-C, SIGTERM and SIGHUP end', () => {
  test.each(
    Object.entries(MODES).map(([name, mode], at) => [name, SIGNALS[at % SIGNALS.length] ?? 'SIGINT', mode] as const),
  )('%s: %s once with its exit code, two at once in any case', async (_name, signal, mode) => {
    await expectEnds(mode, signal);
  });

  test('a run whose server never answers, once what is in flight had time to land', async () => {
    const server = await anHttpServer(({ url = '' }) => writeFileSync(path.join(tmpdir(), url, 'at-work'), ''));
    const asks = aGreeting()
      .replace(/type = "template_render"[^[]*/, 'type = "http_request"\nmethod = "GET"\nurl_from = "trigger.url"\n\n')
      .replace('{ name = "Ada" }', `{ url = "${server.origin}/FOLDER" }`);
    await expectEnds(
      {
        args: ['run', 'a.toml', `--allow-net=127.0.0.1:${server.port}`, '--json'],
        files: { 'a.toml': asks },
        isAtWork: hasBegun,
        once: 130,
      },
      'SIGTERM',
    );
  });
});

describe.skipIf(skipsRedis || process.platform !== 'linux')(
  'with a queue, Ctrl-C, SIGTERM and SIGHUP end (needs redis-server)',
  () => {
    let redis: ARedis;
    beforeAll(async () => {
      redis = await aRedis();
    });
    afterAll(() => redis.stop());

    // Host and worker have the same plug-in, each in its own folder.
    const files = running(SLOW, 4_000_000_000);

    test('a host: once with a partial report, two at once in any case', async () => {
      const cwd = aFolder();
      writeAll(files, cwd);
      aWorker({ url: redis.url, cwd, flags: PLUGIN });
      await expectEnds(
        {
          args: ['run', 'a.toml', '--json', ...PLUGIN],
          files,
          env: { PASSK_QUEUE: redis.url },
          isAtWork: ({ said }) => said.includes('takes part'),
          once: 130,
        },
        'SIGHUP',
      );
    });

    test('a worker: once with 0 when its claim is done, two at once in any case', async () => {
      const cwd = aFolder();
      writeAll(files, cwd);
      const env = { PASSK_QUEUE: `${redis.url}/1` };
      let stop = (): void => {};
      const host = runPassk(['run', 'a.toml', ...PLUGIN], {
        cwd,
        env,
        meanwhile: (child) => {
          stop = () => void child.kill('SIGKILL');
          onTestFinished(stop);
        },
      });
      const mode = { args: ['worker', '-j', '0', ...PLUGIN], files, env, once: 0 };
      await expectEnds({ ...mode, isAtWork: hasBegun }, 'SIGTERM');
      await expectEnds({ ...mode, isAtWork: ({ said }) => said.includes('waits for runs') }, 'SIGHUP');
      stop();
      await host;
    });
  },
);
