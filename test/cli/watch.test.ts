import type { ChildProcess } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

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
