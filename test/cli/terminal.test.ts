import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTerminal, type ProcessLike, type Terminal } from '../../src/cli/terminal.ts';

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
}

function aTerminal({ isTTY = true, columns = 100, env = {} }: Screen): {
  readonly terminal: Terminal;
  readonly stdout: PassThrough;
} {
  const stdout = Object.assign(new PassThrough(), isTTY ? { isTTY, columns } : {});
  const stderr = Object.assign(new PassThrough(), isTTY ? { isTTY, columns } : {});
  const process = { stdout, stderr, env, platform: 'linux' } as unknown as ProcessLike;
  return { terminal: createTerminal(process), stdout };
}

test.each<[string, Screen, boolean]>([
  ['a terminal', {}, true],
  ['a pipe', { isTTY: false }, false],
  ['NO_COLOR', { env: { NO_COLOR: '1' } }, false],
  ['an empty NO_COLOR, which does not count', { env: { NO_COLOR: '' } }, true],
  ['FORCE_COLOR in a pipe', { isTTY: false, env: { FORCE_COLOR: '1' } }, true],
  ['FORCE_COLOR=0', { env: { FORCE_COLOR: '0' } }, false],
  ['FORCE_COLOR over NO_COLOR', { isTTY: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, true],
  ['a dumb terminal', { env: { TERM: 'dumb' } }, false],
])('decides on colour for %s', (_name, screen, color) => {
  expect(aTerminal(screen).terminal.color).toBe(color);
});

test.each<[string, Screen, boolean]>([
  ['on a terminal', {}, true],
  ['not in a pipe', { isTTY: false }, false],
  ['not where it has no size', { columns: 0 }, false],
  ['not under CI', { env: { CI: 'true' } }, false],
  ['where CI is false', { env: { CI: 'false' } }, true],
  ['not on a dumb terminal', { env: { TERM: 'dumb' } }, false],
])('draws a live bar %s', (_name, screen, live) => {
  expect(aTerminal(screen).terminal.live).toBe(live);
});

test.each<[string, Screen, number]>([
  ['the terminal', { columns: 60 }, 60],
  ['COLUMNS in a pipe', { isTTY: false, env: { COLUMNS: '120' } }, 120],
  ['80 in a pipe', { isTTY: false }, 80],
  ['80 for a COLUMNS that is no number', { isTTY: false, env: { COLUMNS: 'wide' } }, 80],
])('takes its width from %s', (_name, screen, columns) => {
  expect(aTerminal(screen).terminal.columns).toBe(columns);
});

test('a report is laid out for the width that a terminal has when it is printed', () => {
  const { terminal, stdout } = aTerminal({ columns: 120 });
  expect(terminal.columns).toBe(120);
  Object.assign(stdout, { columns: 60 });
  expect(terminal.columns).toBe(60);
});

test.each<[string, NodeJS.ProcessEnv, boolean]>([
  ['no locale', {}, true],
  ['a UTF-8 locale', { LANG: 'de_DE.UTF-8' }, true],
  ['the C locale', { LANG: 'C' }, false],
  ['LC_ALL over LANG', { LANG: 'C', LC_ALL: 'C.utf8' }, true],
  ['the Linux console', { TERM: 'linux', LANG: 'C.UTF-8' }, false],
])('decides on Unicode for %s', (_name, env, unicode) => {
  expect(aTerminal({ env }).terminal.unicode).toBe(unicode);
});

test('flush waits until everything printed was handed over', async () => {
  const { terminal, stdout } = aTerminal({ isTTY: false });
  terminal.print('one ');
  terminal.printData(new TextEncoder().encode('two'));
  await terminal.flush();
  expect(String(stdout.read())).toBe('one two');
});

test('a reader that has gone is no failure', async () => {
  const { terminal, stdout } = aTerminal({ isTTY: false });
  stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
  terminal.print('nobody reads this');
  await terminal.flush();
  expect(stdout.read()).toBe(null);
});
