import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/records/make-folder.ts';
import { aFolder } from '../cli/run-passk.ts';

test('a folder is made with its parents, and one that is there stays', () => {
  const folder = path.join(aFolder(), 'a/b/c');
  makeFolder(folder, { mode: 0o700 });
  makeFolder(folder);
  expect(statSync(path.dirname(folder)).mode & 0o777).toBe(process.platform === 'win32' ? 0o777 : 0o700);
});

test('a folder that cannot be made is an error of the system', () => {
  const root = aFolder();
  writeFileSync(path.join(root, 'file'), '');
  mkdirSync(path.join(root, 'full'));
  symlinkSync(path.join(root, 'nowhere'), path.join(root, 'link'));
  expect(codeFor(path.join(root, 'file'))).toBe('EEXIST');
  expect(codeFor(path.join(root, 'file/below/it'))).toBe('ENOTDIR');
  expect(codeFor(path.join(root, 'link'))).toBe('EEXIST');
  expect(codeFor(path.join(root, 'full'))).toBe('');
});

// `recursive` of Node 20 never ends here.
test.skipIf(process.platform !== 'linux')('a place that can hold no folders is one, too', () => {
  expect(codeFor('/proc/passk')).toBe('ENOENT');
  expect(codeFor('/proc/passk/below/it')).toBe('ENOENT');
});

function codeFor(folder: string): unknown {
  try {
    makeFolder(folder);
    return '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
