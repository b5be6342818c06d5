import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { allGone, descendantsOf, nameOf, processorMsOf } from '../support/processes.ts';
import { aWorker } from './a-worker.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Says that code of a node or an agent has begun, and never ends. */
const BUSY = "writeFileSync('at-work', ''); for (;;);";
/** The same, and leaves the processors to others. */
const STUCK = "writeFileSync('at-work', ''); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
const ENDLESS = aGreeting({ trials: 4_000_000_000 });

/** A run of passk as it goes on. */
interface Running {
  readonly cwd: string;
  readonly pid: number | undefined;
  /** What it has said on stderr so far. */
  readonly said: string;
}

interface Mode {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  /** True in the midst of its work. */
  readonly isAtWork: (running: Running) => boolean;
  /** Exit code after one signal; `signal`: the system ends it. */
  readonly once: number | 'signal';
}

/** Three times what a start takes of a processor, however busy the machine is. */
const hasWorked = ({ pid }: Running): boolean => (processorMsOf(pid) ?? 0) >= 350;
const hasBegun = ({ cwd }: Running): boolean => existsSync(path.join(cwd, 'at-work'));

/** A scenario whose one node never ends. */
function hanging(code: string): Mode['files'] {
  return {
    'nodes.mjs': `import { writeFileSync } from 'node:fs';
export const trouble = {
  kind: 'node', type: 'trouble', summary: 'Never ends.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => { ${code} } }),
};`,
    'a.toml': aGreeting().replace(/type = "template_render"[^[]*/, 'type = "trouble"\n\n'),
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
    args: ['run', 'a.toml', '--workers', '2', '--journal', 'kept', '--json'],
    files: { 'a.toml': ENDLESS },
    isAtWork: hasWorked,
    once: 130,
  },
  'a run that hangs in a thread': {
    args: ['run', 'a.toml', '--json', ...PLUGIN],
    files: hanging(BUSY),
    isAtWork: hasBegun,
    once: 130,
  },
  'a run that hangs in a thread beside the calling one': {
    args: ['run', 'a.toml', '--workers', '0', '--json', ...PLUGIN],
    files: hanging(STUCK),
    isAtWork: hasBegun,
    once: 130,
  },
  'a run that hangs in a process': {
    args: ['run', 'a.toml', '--isolation', 'process', '--json', ...PLUGIN],
    files: hanging(BUSY),
    isAtWork: hasBegun,
    once: 130,
  },
  'a shard': {
    args: ['run', 'a.toml', '--shard', '1/2', '--out', 'x.shard'],
    // A shard keeps the verdict of each of its trials.
    files: { 'a.toml': aGreeting({ trials: 1_000_000_000 }) },
    isAtWork: hasWorked,
    once: 130,
  },
  'a trace of a trial that hangs': {
    args: ['trace', 'a.toml', ...PLUGIN],
    files: hanging(STUCK),
    isAtWork: hasBegun,
    once: 'signal',
  },
  'a trace in a process': {
    args: ['trace', 'a.toml', '--isolation', 'process', ...PLUGIN],
    files: hanging(STUCK),
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
  'a trace of a program that never ends': {
    args: ['trace', 'a.toml', '--allow-run'],
    files: { 'a.toml': RUNS_SLEEP },
    isAtWork: hasStartedSleep,
    once: 'signal',
  },
  'a watch': {
    args: ['run', 'a.toml', '--watch', ...PLUGIN],
    files: hanging(STUCK),
    isAtWork: hasBegun,
    once: 130,
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

/** Starts a mode and sends it these signals, all at once, when it is at work; nothing that it started may live on. */
async function signalled(mode: Mode, signals: readonly Signal[]): Promise<Ended & { readonly cwd: string }> {
  const cwd = aFolder();
  for (const [file, text] of Object.entries(mode.files))
    writeFileSync(path.join(cwd, file), text.replace('FOLDER', path.basename(cwd)));
  let children: readonly number[] = [];
  const ended = await runPassk(mode.args, {
    cwd,
    // Elsewhere the next run of anybody would end what this one leaves behind.
    env: { TMPDIR: aFolder(), ...mode.env },
    meanwhile: (child) => {
      let said = '';
      child.stderr?.on('data', (text: string) => {
        said += text;
      });
      const timer = setInterval(() => {
        if (!mode.isAtWork({ cwd, pid: child.pid, said })) return;
        clearInterval(timer);
        children = descendantsOf(child.pid);
        for (const signal of signals) child.kill(signal);
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
  expect(await allGone(children)).toBe(true);
  return { ...ended, cwd };
}

/** Exit code, or `signal` where the system ended it by the one that was sent. */
function endOf({ status, signal }: Ended, signals: readonly Signal[]): unknown {
  return signal === null ? status : signals.some((sent) => sent === signal) ? 'signal' : signal;
}

async function expectEnds(mode: Mode): Promise<void> {
  const once = await Promise.all(
    SIGNALS.map(async (signal) => {
      const ended = await signalled(mode, [signal]);
      if (mode.args.includes('--json')) expect(JSON.parse(ended.stdout)).toMatchObject({ partial: true });
      // Neither drafts nor locks are left.
      expect(readdirSync(ended.cwd, { recursive: true, encoding: 'utf8' }).filter(isLeftOver)).toEqual([]);
      return [signal, endOf(ended, [signal])];
    }),
  );
  expect(once).toEqual(SIGNALS.map((signal) => [signal, mode.once]));
  // Between the two it may have ended by itself.
  const twice: readonly Signal[] = ['SIGINT', 'SIGTERM'];
  expect(['signal', mode.once]).toContain(endOf(await signalled(mode, twice), twice));
}

function isLeftOver(file: string): boolean {
  return /\.(?:lock|tmp)$/.test(file);
}

// Elsewhere nobody tells what a process is at.
describe.runIf(process.platform === 'linux')('Ctrl-C, SIGTERM and SIGHUP end', () => {
  test.each(Object.entries(MODES))('%s: once with its exit code, two at once in any case', async (_, mode) => {
    await expectEnds(mode);
  });

  test('a run whose server never answers, once what is in flight had time to land', async () => {
    const server = await anHttpServer(({ url = '' }) => writeFileSync(path.join(tmpdir(), url, 'at-work'), ''));
    const asks = aGreeting()
      .replace(/type = "template_render"[^[]*/, 'type = "http_request"\nmethod = "GET"\nurl_from = "trigger.url"\n\n')
      .replace('{ name = "Ada" }', `{ url = "${server.origin}/FOLDER" }`);
    await expectEnds({
      args: ['run', 'a.toml', `--allow-net=127.0.0.1:${server.port}`, '--json'],
      files: { 'a.toml': asks },
      isAtWork: hasBegun,
      once: 130,
    });
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

    test('a host: once with a partial report, two at once in any case', async () => {
      aWorker({ url: redis.url });
      await expectEnds({
        args: ['run', 'a.toml', '--json'],
        files: { 'a.toml': ENDLESS },
        env: { PASSK_QUEUE: redis.url },
        isAtWork: ({ said }) => said.includes('takes part'),
        once: 130,
      });
    });

    test('a worker: once with 0 when its claim is done, two at once in any case', async () => {
      const cwd = aFolder();
      writeFileSync(path.join(cwd, 'a.toml'), ENDLESS);
      const env = { PASSK_QUEUE: `${redis.url}/1` };
      let stop = (): void => {};
      const host = runPassk(['run', 'a.toml'], {
        cwd,
        env,
        meanwhile: (child) => {
          stop = () => void child.kill('SIGKILL');
          onTestFinished(stop);
        },
      });
      for (const isAtWork of [hasWorked, ({ said }: Running) => said.includes('waits for runs')]) {
        await expectEnds({ args: ['worker', '-j', '0'], files: {}, env, isAtWork, once: 0 });
      }
      stop();
      await host;
    });
  },
);
