import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { allGone, descendantsOf, processorMsOf } from '../support/processes.ts';
import { says, specsIn } from '../suites/model/a-spec.ts';
import { aFolder, aGreeting, PASSK } from './run-passk.ts';

// A real terminal is made by `script` of util-linux; its flags differ elsewhere.
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('script');
const onTerminal = test.skipIf(!hasScript && !required);
const WAIT = { timeout: 60_000, interval: 50 };

onTerminal('a bar shows a long run on a terminal and is gone at its end (needs script)', async () => {
  const shown = await runOnTerminal(['a.toml', '--trials', '6000000', '--no-color']);
  expect(shown.text).toMatch(/[█░▒]/);
  expect(shown.text).toContain('trials');
  expect(shown.status).toBe(0);
});

onTerminal('no bar is drawn under CI or with --quiet (needs script)', async () => {
  const args = ['a.toml', '--trials', '6000000', '--no-color'];
  expect((await runOnTerminal(args, { env: { CI: 'true' } })).text).not.toMatch(/[░▒]/);
  expect((await runOnTerminal([...args, '--quiet'])).text).not.toMatch(/[░▒]/);
});

onTerminal(
  'models that are tested have a line each while they are asked, and none at the end (needs script)',
  async () => {
    const cwd = specsIn({
      echo: `- model: echo/slow\n  tests:${says('hello')}\n- model: echo/good\n  tests:${says('hello')}${says('you')}`,
    });
    const args = ['model', 'check', '--allow-run', '--action-timeout', '1', '--max-retries', '0', '--no-color'];
    const shown = await runOnTerminal(args, { cwd });
    expect(shown.text).toContain('▸ echo/slow  ▸▸▸▸▸▸▸▸▸▸▸▸  0/1  1 running');
    expect(shown.text).toContain('✓ echo/good  ████████████  2/2  2 passed');
    // The report comes after the lines were erased.
    expect(shown.text.lastIndexOf('▸ echo/slow')).toBeLessThan(shown.text.indexOf('✗ FAIL'));
    expect(shown.status).toBe(1);
    const quiet = await runOnTerminal([...args, '--quiet'], { cwd });
    expect(quiet.text).not.toContain('echo/good  █');
  },
);

onTerminal('a second Ctrl-C ends the process at once (needs script)', async () => {
  const { cwd, args, isAtWork } = await aRunThatWaits();
  const shown = await runOnTerminal(args, {
    cwd,
    typed: async (type, text) => {
      await vi.waitUntil(isAtWork, WAIT);
      type('\u0003');
      await vi.waitUntil(() => text().includes('stopping'), WAIT);
      type('\u0003');
    },
  });
  expect(shown.text).not.toContain('Stopped early');
  expect(shown.status).toBe(130);
});

onTerminal('two Ctrl-C that come together end a watcher and its run at once (needs script)', async () => {
  const { cwd, args, isAtWork } = await aRunThatWaits();
  const shown = await runOnTerminal([...args, '--watch'], {
    cwd,
    typed: async (type) => {
      await vi.waitUntil(isAtWork, WAIT);
      type('\u0003\u0003');
    },
  });
  expect(shown.text).not.toContain('Stopped early');
  expect(shown.status).toBe(130);
});

onTerminal(
  'a terminal that is closed ends a run with a whole report and 130 (needs script)',
  { timeout: 90_000 },
  async () => {
    const cwd = aFolder();
    writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 4_000_000_000 }));
    const run = `'${process.execPath}' '${PASSK}' a.toml --reporter json:report.json --reporter text`;
    // The outer shell ends with its terminal, as shells do; the inner one stays to write down how passk ended.
    const command = `(trap '' HUP; ${run}; echo $? > code.tmp; mv code.tmp code); true`;
    const terminal = spawn('script', ['--quiet', '--flush', '--command', command, '/dev/null'], {
      cwd,
      env: { ...process.env, SHELL: '/bin/sh' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const isAtWork = (): boolean => descendantsOf(terminal.pid).some((pid) => (processorMsOf(pid) ?? 0) >= 700);
    await vi.waitUntil(isAtWork, WAIT);
    const programs = descendantsOf(terminal.pid);
    onTestFinished(async () => {
      if (!(await allGone(programs))) for (const pid of programs) process.kill(pid, 'SIGKILL');
    });
    terminal.kill('SIGKILL');
    await vi.waitUntil(() => existsSync(path.join(cwd, 'code')), WAIT);
    expect(readFileSync(path.join(cwd, 'code'), 'utf8')).toBe('130\n');
    expect(JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8'))).toMatchObject({ partial: true });
  },
);

interface OnTerminal {
  readonly env?: NodeJS.ProcessEnv;
  /** Types while it runs; `text` is what it has shown so far. */
  readonly typed?: (type: (keys: string) => void, text: () => string) => Promise<void>;
  /** Absent: a folder with one greeting. */
  readonly cwd?: string;
}

/** Runs passk on a terminal of its own. */
function runOnTerminal(
  args: readonly string[],
  { env = {}, typed, cwd = aGreetingFolder() }: OnTerminal = {},
): Promise<{ readonly text: string; readonly status: number | null }> {
  const { CI: _ci, ...inherited } = process.env;
  const words = [process.execPath, PASSK, ...args].map((word) => `'${word}'`).join(' ');
  const command = `stty cols 80 rows 24 && ${words}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    typed?.(
      (keys) => child.stdin.write(keys),
      () => text,
    ).catch(reject);
    child.on('error', reject);
    child.on('close', (status) => resolve({ text, status }));
  });
}

function aGreetingFolder(): string {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  return cwd;
}

/** A run that goes on for seconds after a first Ctrl-C: it waits for what its server may still answer. */
async function aRunThatWaits(): Promise<{
  readonly cwd: string;
  readonly args: readonly string[];
  readonly isAtWork: () => boolean;
}> {
  const server = await anHttpServer(() => undefined);
  const cwd = aFolder();
  const asks = aGreeting()
    .replace(/type = "template_render"[^[]*/, 'type = "http_request"\nmethod = "GET"\nurl_from = "trigger.url"\n\n')
    .replace('{ name = "Ada" }', `{ url = "${server.origin}/" }`);
  writeFileSync(path.join(cwd, 'a.toml'), asks);
  const args = ['a.toml', `--allow-net=127.0.0.1:${server.port}`];
  return { cwd, args, isAtWork: () => server.seen.length > 0 };
}
