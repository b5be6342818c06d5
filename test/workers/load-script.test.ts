import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { beforeEach, expect, test } from 'vitest';
import { aFolder, aGreeting, type Ended, PASSK, runPassk } from '../cli/run-passk.ts';

let place: string;

beforeEach(() => {
  place = aFolder();
  writeFileSync(path.join(place, 'greeting.toml'), aGreeting({ trials: 20 }));
});

test('scripts are ASCII, as they are read one byte a character', () => {
  const folder = path.dirname(PASSK);
  const texts = ['command', 'thread', 'process'].map((name) => readFileSync(path.join(folder, `${name}.cjs`), 'utf8'));
  expect(texts.map((text) => /[^\p{ASCII}]/u.exec(text)?.[0] ?? null)).toEqual([null, null, null]);
});

test('the second start of a command takes what the first has compiled, and writes nothing', async () => {
  const first = await passk(['run', 'greeting.toml']);
  const [file = ''] = cached();
  const before = written(file);
  // What is compiled before anything has run is a fraction of this.
  expect([first.status, cached().length, before.size > 1e6]).toEqual([0, 1, true]);
  expect(await passk(['run', 'greeting.toml'])).toEqual(first);
  expect([cached(), written(file)]).toEqual([[file], before]);
});

test('each command has a cache of its own, bare paths are that of `run`, and what is no command has none', async () => {
  for (const words of [['greeting.toml'], ['run', 'greeting.toml'], ['validate', 'greeting.toml'], ['--version']]) {
    await passk(words);
  }
  expect((await passk(['greeting'])).status).toBe(2);
  expect(cached().map((file) => path.basename(file).split('-')[1])).toEqual(['run', 'validate']);
});

test('modules of the user are loaded from a start that was cached as from one that was not', async () => {
  writeFileSync(path.join(place, 'passk.config.mjs'), 'export default { trials: 3 };\n');
  const first = await passk(['config', '--trust']);
  expect([first.status, first.stdout]).toEqual([0, expect.stringMatching(/trials +3 +passk\.config\.mjs/)]);
  expect(await passk(['config', '--trust'])).toEqual(first);
});

test('nothing is written into the installed package', async () => {
  const before = contentsOf(path.dirname(PASSK));
  await passk(['run', 'greeting.toml', '--trials', '3000', '--workers', '2']);
  await passk(['run', 'greeting.toml', '--isolation', 'process', '--workers', '2']);
  expect(contentsOf(path.dirname(PASSK))).toEqual(before);
});

test('nothing is cached where that is turned off', async () => {
  expect((await passk(['run', 'greeting.toml'], { NODE_DISABLE_COMPILE_CACHE: '1' })).status).toBe(0);
  expect(cached()).toEqual([]);
});

test('starts with other flags of V8 have a cache of their own, those with flags of Node alone share one', async () => {
  const flags = ['--stack-trace-limit=20', '--no-warnings', '--enable-source-maps', '--stack-trace-limit=20'];
  const seen: (readonly string[])[] = [];
  for (const NODE_OPTIONS of flags) {
    expect((await passk(['run', 'greeting.toml'], { NODE_OPTIONS })).status).toBe(0);
    seen.push(cached());
  }
  expect(seen.map((files) => files.length)).toEqual([1, 2, 2, 2]);
});

test('a place that cannot be written costs nothing but time', async () => {
  writeFileSync(path.join(place, 'cache'), 'a file');
  const ended = await passk(['run', 'greeting.toml']);
  expect([ended.status, ended.stderr, readFileSync(path.join(place, 'cache'), 'utf8')]).toEqual([0, '', 'a file']);
});

test.each<[string, (file: string) => void]>([
  ['empty', (file) => truncateSync(file, 0)],
  ['cut', (file) => truncateSync(file, 1000)],
  ['of something else', (file) => writeFileSync(file, 'x'.repeat(5000))],
])('a cache that is %s is written again', async (_, damage) => {
  const first = await passk(['run', 'greeting.toml']);
  const [file = ''] = cached();
  damage(file);
  expect(await passk(['run', 'greeting.toml'])).toEqual(first);
  expect(statSync(file).size).toBeGreaterThan(1e6);
});

test.skipIf(process.getuid?.() !== 0)('a cache that belongs to another user is never run', async () => {
  await passk(['run', 'greeting.toml']);
  const [file = ''] = cached();
  chownSync(file, 12_345, 12_345);
  await passk(['run', 'greeting.toml']);
  expect(statSync(file).uid).toBe(0);
});

test('starts at the same time leave one whole file', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => passk(['run', 'greeting.toml'])));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([0]));
  const [file = ''] = cached();
  const before = written(file);
  await passk(['run', 'greeting.toml']);
  expect([cached(), written(file)]).toEqual([[file], before]);
});

test('what was cached more than a month ago, or is the oldest of too much, is dropped when something is written', async () => {
  const folder = path.join(place, 'cache', 'passk', 'compiled');
  mkdirSync(folder, { recursive: true });
  for (const [name, days, mebibytes] of [
    ['old.bin', 40, 0],
    ['less.bin', 22, 20],
    ['large.bin', 21, 500],
    ['new.bin', 20, 0],
  ] as const) {
    writeFileSync(path.join(folder, name), '');
    // Of holes: it takes no room.
    truncateSync(path.join(folder, name), mebibytes * 1024 * 1024);
    const time = new Date(Date.now() - days * 24 * 3600 * 1000);
    utimesSync(path.join(folder, name), time, time);
  }
  await passk(['run', 'greeting.toml']);
  expect(cached().map((file) => path.basename(file))).toEqual([
    expect.stringMatching(/^command/),
    'large.bin',
    'new.bin',
  ]);
});

async function passk(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const cache = { XDG_CACHE_HOME: path.join(place, 'cache'), NODE_OPTIONS: '' };
  const ended = await runPassk(words, { cwd: place, env: { ...cache, ...env } });
  // How long it took differs.
  return { ...ended, stdout: ended.stdout.replace(/ in [\d.]+ m?s.*$/m, '') };
}

function cached(): readonly string[] {
  const folder = path.join(place, 'cache', 'passk', 'compiled');
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

function written(file: string): { readonly ino: number; readonly mtimeMs: number; readonly size: number } {
  const { ino, mtimeMs, size } = statSync(file);
  return { ino, mtimeMs, size };
}

function contentsOf(folder: string): readonly (readonly [string, number])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => [name, statSync(path.join(folder, name)).mtimeMs]);
}
