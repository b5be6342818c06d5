import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  ftruncateSync,
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
import { readSource } from '../../src/source/source-file.ts';
import { isAtOrBelow } from '../../src/values/at-or-below.ts';
import { processorMs } from '../support/processor-time.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'passk-source-')));
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

test('reads a file and names it relative to the root', () => {
  mkdirSync(join(root, 'deep'));
  const path = write('deep/a.toml', 'a = 1\n');
  expect(readSource(path, { root })).toEqual({ ok: true, source: { path, name: 'deep/a.toml', text: 'a = 1\n' } });
});

test('drops a byte order mark', () => {
  const path = write('bom.toml', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('a = 1')]));
  expect(readSource(path, { root })).toEqual({ ok: true, source: { path, name: 'bom.toml', text: 'a = 1' } });
});

test('says that a file does not exist', () => {
  expect(readSource(join(root, 'none.toml'), { root })).toEqual({
    ok: false,
    issues: [
      {
        code: 'file_missing',
        severity: 'error',
        message: 'File "none.toml" does not exist.',
        at: { file: 'none.toml', line: 1, column: 1 },
        hint: 'Check the path.',
      },
    ],
  });
});

function problem(path: string): string {
  const result = readSource(path, { root });
  return result.ok ? 'read' : result.issues.map((issue) => `${issue.code}: ${issue.message} ${issue.hint}`).join();
}

test('says that a folder, a file as folder, and a device are no files', () => {
  mkdirSync(join(root, 'folder.toml'));
  expect(problem(join(root, 'folder.toml'))).toBe(
    'file_unreadable: "folder.toml" is a folder, not a file. Name a file in it.',
  );
  expect(problem(join(write('plain.toml', ''), 'x.toml'))).toBe(
    'file_missing: File "plain.toml/x.toml" does not exist. "plain.toml" is a file, not a folder.',
  );
  expect(problem('/dev/null')).toMatch(/^file_unreadable: ".*dev\/null" is not a regular file\./);
});

test.skipIf(process.getuid?.() === 0)('says that a file may not be read', () => {
  const path = write('secret.toml', 'a = 1');
  chmodSync(path, 0);
  expect(problem(path)).toBe('file_unreadable: File "secret.toml" cannot be read (EACCES). Check its permissions.');
});

test('refuses 2 GB by size, without reading them', () => {
  const path = join(root, 'huge.toml');
  const file = openSync(path, 'w');
  ftruncateSync(file, 2_000_000_000);
  closeSync(file);
  const started = processorMs();
  expect(problem(path)).toBe(
    'file_too_large: File "huge.toml" has 2000000000 bytes; the limit is 1048576. Move large data out of the file, or raise the limit with --max-file-size.',
  );
  expect(processorMs() - started).toBeLessThan(200);
});

test('takes the limit from the caller, the limit itself included', () => {
  const path = write('ten.toml', '# 45678901');
  expect(readSource(path, { root, maxBytes: 10 }).ok).toBe(true);
  expect(readSource(path, { root, maxBytes: 9 }).ok).toBe(false);
});

test.each([
  ['a lone continuation byte', [0x61, 0x0a, 0x62, 0x80], 3, 2, 2],
  ['an overlong slash', [0xc0, 0xaf], 0, 1, 1],
  ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1, 1, 2],
  ['a sequence cut short at the end', [0xc3, 0xa9, 0xe2, 0x82], 2, 1, 2],
  ['a code point above the last', [0xf4, 0x90, 0x80, 0x80], 0, 1, 1],
])('says where %s stands', (_name, bytes, byte, line, column) => {
  const path = write('bad.toml', Uint8Array.from(bytes));
  expect(readSource(path, { root })).toEqual({
    ok: false,
    issues: [
      {
        code: 'not_utf8',
        severity: 'error',
        message: `File "bad.toml" is not UTF-8: the byte at offset ${byte}, on line ${line}, is not valid.`,
        at: { file: 'bad.toml', line, column },
        hint: 'Save the file as UTF-8.',
      },
    ],
  });
});

test('recognises UTF-16', () => {
  const path = write('wide.toml', Buffer.from('\ufeffa = 1', 'utf16le'));
  expect(problem(path)).toBe(
    'not_utf8: File "wide.toml" is not UTF-8: the byte at offset 0, on line 1, is not valid. It looks like UTF-16. Save it as UTF-8.',
  );
});

test.skipIf(process.platform === 'win32')(
  'waits for nobody who might write into a pipe, and takes nothing from it',
  () => {
    const pipe = join(root, 'pipe.toml');
    execFileSync('mkfifo', [pipe]);
    expect(problem(pipe)).toMatch(/is not a regular file/);
    const both = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    writeSync(both, 'a = 1');
    expect(problem(pipe)).toMatch(/is not a regular file/);
    const left = Buffer.alloc(9);
    expect(left.toString('utf8', 0, readSync(both, left))).toBe('a = 1');
    closeSync(both);
  },
);

test.skipIf(process.platform === 'win32')('what a link leads to is judged by where it really is', () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'passk-outside-')));
  writeFileSync(join(outside, 'a.toml'), 'a = 1');
  symlinkSync(outside, join(root, 'away'));
  symlinkSync(join(outside, 'a.toml'), join(root, 'away.toml'));
  for (const path of [join(root, 'away', 'a.toml'), join(root, 'away.toml')]) {
    const refused = readSource(path, { root, within: [root] });
    expect(refused.ok ? [] : refused.issues.map(({ code }) => code)).toEqual(['file_outside']);
    expect(readSource(path, { root, within: [root, outside] }).ok).toBe(true);
  }
  rmSync(outside, { recursive: true });
});

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
    const held = cases.map(([place, real]) => isAtOrBelow(real, place));
    expect(held).toEqual([true, true, true, true, false, false, false]);
  },
);

test('offers the name of a file that was meant only where such files may be read', () => {
  const path = write('secret-plan.toml', 'a = 1').replace('plan', 'pln');
  const hint = (within: readonly string[]): string | undefined => {
    const result = readSource(path, { root, within });
    return result.ok ? 'read' : result.issues[0]?.hint;
  };
  expect(hint([root])).toBe('Did you mean "secret-plan.toml"?');
  expect(hint([join(root, 'elsewhere')])).toBe('Check the path.');
});
