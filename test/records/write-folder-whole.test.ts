import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeFolderWhole } from '../../src/records/write-folder-whole.ts';
import { aFolder } from '../cli/run-passk.ts';

const bytes = new TextEncoder().encode('new');

test('a folder of files is made where there is none, or an empty one', async () => {
  const root = aFolder();
  mkdirSync(path.join(root, 'empty'));
  for (const name of ['absent', 'empty', 'slash/']) {
    await writeFolderWhole(path.join(root, name), [
      { name: 'a', bytes },
      { name: 'b', bytes },
    ]);
    expect(readdirSync(path.join(root, name))).toEqual(['a', 'b']);
  }
  await writeFolderWhole(path.join(root, 'nothing'), []);
  expect(readdirSync(root)).toEqual(['absent', 'empty', 'nothing', 'slash']);
});

test('a folder that holds a file is left as it is', async () => {
  const root = aFolder();
  mkdirSync(path.join(root, 'full'));
  writeFileSync(path.join(root, 'full/a'), 'old');
  await expect(writeFolderWhole(path.join(root, 'full'), [{ name: 'a', bytes }])).rejects.toThrow('not empty');
  expect(readFileSync(path.join(root, 'full/a'), 'utf8')).toBe('old');
  expect(readdirSync(root)).toEqual(['full']);
});

test('nothing is left of a folder that cannot be written whole', async () => {
  const root = aFolder();
  const files = [
    { name: 'a', bytes },
    { name: 'absent/b', bytes },
  ];
  await expect(writeFolderWhole(path.join(root, 'out'), files)).rejects.toThrow('ENOENT');
  expect(readdirSync(root)).toEqual([]);
});
