import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test, vi } from 'vitest';
import { allGone, descendantsOf, processorMsOf } from '../support/processes.ts';
import { aFolder, aGreeting, type Ended, PASSK, runPassk } from './run-passk.ts';

interface Watching {
  readonly cwd: string;
  readonly write: (file: string, text: string) => void;
  /** What was printed since it was last asked for, once the run that follows has ended. */
  readonly nextRun: () => Promise<string>;
  readonly end: () => Promise<Ended>;
}

const TIMEOUT = { timeout: 60_000, interval: 50 };

/** Two scenarios, watched, after their first run. */
async function watching(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Watching> {
  const cwd = aFolder();
  const write = (file: string, text: string): void => {
    // As editors do.
    writeFileSync(path.join(cwd, `${file}.tmp`), text);
    renameSync(path.join(cwd, `${file}.tmp`), path.join(cwd, file));
  };
  mkdirSync(path.join(cwd, 'suite'));
  for (const [file, text] of Object.entries(files)) write(file, text);
  let child: ChildProcess | undefined;
  let said = '';
  const ended = runPassk(['run', 'suite', '--watch', '--workers', '0', ...args], {
    cwd,
    // No browser is opened where there is a screen.
    env: { DISPLAY: '', WAYLAND_DISPLAY: '' },
    meanwhile: (started) => {
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (text: string) => {
          said += text;
        });
      }
    },
  });
  return {
    cwd,
    write,
    async nextRun() {
      await vi.waitUntil(() => /passk: watching \d+ file/.test(said), TIMEOUT);
      const text = said;
      said = '';
      return text;
    },
    async end() {
      child?.kill('SIGINT');
      return ended;
    },
  };
}

/** Names of the scenarios in a text report. */
function scenariosIn(text: string): readonly string[] {
  return [...text.matchAll(/^[✓✗] (?:pass|FAIL) +(\w+)/gm)].map((match) => match[1] ?? '');
}

/** What the event of this name tells those who come now. */
async function event(url: string, name: string): Promise<string> {
  const { body } = await fetch(`${url}events`);
  let text = '';
  for await (const bytes of body ?? []) {
    text += new TextDecoder().decode(bytes);
    const [, data] = new RegExp(`^event: ${name}\ndata: (.*)\n`, 'm').exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  return 'ended';
}

test('with --open one page stays, and shows the report of each run in turn', async () => {
  const { write, nextRun, end } = await watching({ 'suite/one.toml': aGreeting({ name: 'one' }) }, '--open');
  const [, url = ''] = /the report is at (\S+)/.exec(await nextRun()) ?? [];
  const shown = async (): Promise<string> => (await fetch(`${url}report`)).text();
  expect(await shown()).toContain('"name":"one"');
  write('suite/two.toml', aGreeting({ name: 'two' }));
  expect(await nextRun()).not.toContain('the report is at');
  expect(await shown()).toContain('"name":"two"');
  expect(await event(url, 'report')).toBe('This is the report of 1 of 2 files, those that were run again.');
  write('suite/two.toml', `${aGreeting({ name: 'two' })}[nonsense]\n`);
  await nextRun();
  expect(await event(url, 'problem')).toContain('"nonsense" is not a known key');
  write('passk.toml', 'nonsense = 1');
  await nextRun();
  expect(await event(url, 'problem')).toContain('"nonsense" is not a known key');
  expect((await end()).status).toBe(130);
  await expect(fetch(url)).rejects.toThrow();
});

test('q and Ctrl-C wait for nobody who never fetched a report of long ago', async () => {
  const { write, nextRun, end } = await watching({ 'suite/one.toml': aGreeting({ name: 'one' }) }, '--open');
  const [, url = ''] = /the report is at (\S+)/.exec(await nextRun()) ?? [];
  const { body } = await fetch(`${url}events`);
  write('suite/one.toml', aGreeting({ name: 'two' }));
  await nextRun();
  await new Promise((resolve) => setTimeout(resolve, 5500));
  const before = performance.now();
  expect((await end()).status).toBe(130);
  expect(performance.now() - before).toBeLessThan(4000);
  await body?.cancel();
});

test('a file that is no scenario any more is told, since its last result no longer counts', async () => {
  const { write, nextRun, end } = await watching({
    'suite/one.toml': aGreeting({ name: 'one' }),
    'suite/two.toml': aGreeting({ name: 'two' }),
  });
  await nextRun();
  write('suite/two.toml', 'note = 1\n');
  expect(await nextRun()).toContain(
    'passk: suite/two.toml is gone, or no longer a file that passk runs.\npassk: watching 1 file.',
  );
  await end();
});

test('a changed scenario runs again alone, what changes nothing runs nothing, and Ctrl-C ends with 130', async () => {
  const one = aGreeting({ name: 'one' });
  const { write, nextRun, end } = await watching({
    'suite/one.toml': one,
    'suite/two.toml': aGreeting({ name: 'two' }),
  });
  expect(scenariosIn(await nextRun())).toEqual(['one', 'two']);
  write('notes.txt', 'nothing to do with it');
  write('suite/one.toml', `# a comment\n${one}`);
  write('suite/two.toml', aGreeting({ name: 'two', lastNode: 'greet' }));
  expect(scenariosIn(await nextRun())).toEqual(['two']);
  write('suite/three.toml', aGreeting({ name: 'three' }));
  expect(scenariosIn(await nextRun())).toEqual(['three']);
  write('passk.toml', 'trials = 3\n');
  const all = await nextRun();
  expect(scenariosIn(all)).toEqual(['one', 'three', 'two']);
  expect(all).toContain('3/3');
  expect((await end()).status).toBe(130);
});

test('code that changes runs again what runs it, and no other scenario', async () => {
  const checked = aGreeting({ name: 'checked' }).replace(
    '[expected]',
    '[expected]\nchecks = [{ module = "rules.mjs" }]',
  );
  const files = { 'suite/checked.toml': checked, 'suite/plain.toml': aGreeting({ name: 'plain' }) };
  const { write, nextRun, end } = await watching(
    { ...files, 'suite/rules.mjs': 'export default () => true;' },
    '--allow-run=rules.mjs',
  );
  expect(scenariosIn(await nextRun())).toEqual(['checked', 'plain']);
  write('suite/rules.mjs', "export default () => 'It is wrong now.';");
  const again = await nextRun();
  expect([scenariosIn(again), again.includes('It is wrong now.')]).toEqual([['checked'], true]);
  write('suite/plain.toml', aGreeting({ name: 'plain', trials: 2 }));
  expect(scenariosIn(await nextRun())).toEqual(['plain']);
  await end();
});

test('a syntax error is shown and waited out; what it kept from running runs with the mended file', async () => {
  const { write, nextRun, end } = await watching({
    'suite/one.toml': 'name = ',
    'suite/two.toml': aGreeting({ name: 'two' }),
  });
  expect(await nextRun()).toContain('suite/one.toml:1:');
  write('suite/one.toml', aGreeting({ name: 'one' }));
  expect(scenariosIn(await nextRun())).toEqual(['one', 'two']);
  await end();
});

interface Stopped {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The report that stood there when the watcher ended; null: none. */
  readonly report: string | null;
  /** True: the run had ended by then; false: soon after. */
  readonly hasEnded: boolean;
}

/** A watcher in the midst of a run, which `stop` ends. */
async function stopped(stop: (watcher: number) => void): Promise<Stopped> {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ trials: 4_000_000_000 }));
  const watcher = spawn(process.execPath, [PASSK, 'run', 'a.toml', '--watch', '--reporter', 'json:report.json'], {
    cwd,
    // A process group of its own, as a shell makes one for each command.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const pid = watcher.pid as number;
  const isAtWork = (): boolean => descendantsOf(pid).some((run) => (processorMsOf(run) ?? 0) >= 700);
  await vi.waitUntil(isAtWork, TIMEOUT);
  const runs = descendantsOf(pid);
  stop(pid);
  return new Promise((resolve) => {
    watcher.on('exit', (status, signal) => {
      const report = path.join(cwd, 'report.json');
      const stood = existsSync(report) ? readFileSync(report, 'utf8') : null;
      const hasEnded = runs.every((run) => processorMsOf(run) === null);
      void allGone(runs).then((areGone) => {
        expect(areGone).toBe(true);
        resolve({ status, signal, report: stood, hasEnded });
      });
    });
  });
}

// Elsewhere nobody tells what a process is at.
describe.runIf(process.platform === 'linux')(
  'a watcher that is ended in the midst of a run',
  { timeout: 90_000 },
  () => {
    test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
      'ends with 130 after the run, whose partial report is whole: %s',
      async (signal) => {
        const { report, ...ended } = await stopped((watcher) => process.kill(watcher, signal));
        expect(ended).toEqual({ status: 130, signal: null, hasEnded: true });
        expect(JSON.parse(report ?? 'null')).toMatchObject({ partial: true });
      },
    );

    test('does so too when a terminal sends the Ctrl-C to all of its processes', async () => {
      const { report, ...ended } = await stopped((watcher) => process.kill(-watcher, 'SIGINT'));
      expect(ended).toEqual({ status: 130, signal: null, hasEnded: true });
      expect(JSON.parse(report ?? 'null')).toMatchObject({ partial: true });
    });

    test('takes the run with it at the second signal, and when it is killed', async () => {
      const twice = await stopped((watcher) => {
        process.kill(watcher, 'SIGSTOP');
        process.kill(watcher, 'SIGINT');
        process.kill(watcher, 'SIGTERM');
        process.kill(watcher, 'SIGCONT');
      });
      // Between the two the run may have ended by itself.
      expect([null, 130]).toContain(twice.status);
      expect(await stopped((watcher) => process.kill(watcher, 'SIGKILL'))).toMatchObject({ signal: 'SIGKILL' });
    });
  },
);
