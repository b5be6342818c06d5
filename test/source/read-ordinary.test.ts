import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { holds, readOrdinary } from '../../src/source/read-ordinary.ts';
import { readSource } from '../../src/source/source-file.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'passk-ordinary-')));
afterAll(() => rmSync(root, { recursive: true }));
const maxBytes = 1_000_000;

function write(name: string, content: string | Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

test.skipIf(process.platform === 'win32')('reads ordinary files itself and leaves all others to a closer look', () => {
  mkdirSync(join(root, 'folder'));
  const plain = write('plain.toml', 'a = "é"\n');
  symlinkSync(plain, join(root, 'link.toml'));
  const read = (path: string, within?: readonly string[]) =>
    readOrdinary(path, maxBytes, { ...(within !== undefined && { within }) });
  expect(read(plain)).toBe('a = "é"\n');
  expect(read(write('mark.toml', '\uFEFFa = 1'))).toBe('a = 1');
  expect(read(write('empty.toml', ''))).toBe('');
  expect(read(plain, [root])).toBe('a = "é"\n');
  expect(read(plain, [join(root, 'folder')])).toBe(null);
  expect(read(join(root, 'link.toml'))).toBe(null);
  expect(read(join(root, 'folder'))).toBe(null);
  expect(read(join(root, 'none.toml'))).toBe(null);
  expect(read('/dev/null')).toBe(null);
  expect(read('plain.toml')).toBe(null);
  expect(read(write('bad.toml', Uint8Array.of(0x61, 0xff)))).toBe(null);
  expect(read(write('large.toml', `# ${'x'.repeat(70_000)}`))).toBe(null);
  expect(readOrdinary(plain, 3)).toBe(null);
});

test.skipIf(process.platform === 'win32')(
  'waits for nobody who might write into a pipe, and takes nothing from it',
  () => {
    const pipe = join(root, 'pipe.toml');
    execFileSync('mkfifo', [pipe]);
    expect(readOrdinary(pipe, maxBytes)).toBe(null);
    const both = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    writeSync(both, 'a = 1');
    expect(readOrdinary(pipe, maxBytes)).toBe(null);
    const left = Buffer.alloc(9);
    expect(left.toString('utf8', 0, readSync(both, left))).toBe('a = 1');
    closeSync(both);
  },
);

test.skipIf(process.platform === 'win32')(
  'places hold what is below them, and no neighbour whose name begins alike',
  () => {
    const cases: readonly (readonly [place: string, real: string])[] = [
      ['/a', '/a'],
      ['/a', '/a/b'],
      ['/', '/a'],
      ['/a/', '/a/b'],
      ['/a', '/ab'],
      ['/a/b', '/a'],
      ['/a', '/b/a'],
    ];
    expect(cases.map(([place, real]) => holds(place, real))).toEqual([true, true, true, true, false, false, false]);
  },
);

test('a file reads the same however it is read', () => {
  const long = `# ${'x'.repeat(70_000)}`;
  symlinkSync(write('long.toml', long), join(root, 'long-link.toml'));
  for (const name of ['long.toml', 'long-link.toml']) {
    const path = join(root, name);
    expect(readSource(path, { root, within: [root] })).toEqual({ ok: true, source: { path, name, text: long } });
  }
});

test('a folder that is a link is looked up once, and what is behind it is judged by where it really is', () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'passk-outside-')));
  writeFileSync(join(outside, 'a.toml'), 'a = 1');
  symlinkSync(outside, join(root, 'away'));
  const realFolders = new Map<string, string>();
  const path = join(root, 'away', 'a.toml');
  expect(readOrdinary(path, maxBytes, { within: [root], realFolders })).toBe(null);
  expect(readOrdinary(path, maxBytes, { within: [outside], realFolders })).toBe('a = 1');
  expect([...realFolders]).toEqual([[join(root, 'away'), outside]]);
  rmSync(outside, { recursive: true });
});
