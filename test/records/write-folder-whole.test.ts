import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

test('a folder of files that may be replaced is replaced, and none that holds anything else', async () => {
  const root = aFolder();
  const place = path.join(root, 'out');
  const isOwn = ({ name, text }: { readonly name: string; readonly text: string }): boolean => text === `own ${name}`;
  mkdirSync(place);
  for (const name of ['a', 'b']) writeFileSync(path.join(place, name), `own ${name}`);
  await writeFolderWhole(place, [{ name: 'c', bytes: new TextEncoder().encode('own c') }], isOwn);
  expect([readdirSync(root), readdirSync(place)]).toEqual([['out'], ['c']]);
  // Folders, links and files that others wrote or changed stay, and so does what stands beside them.
  const strangers: readonly ((at: string) => void)[] = [
    (at) => mkdirSync(at),
    (at) => symlinkSync(path.join(place, 'c'), at),
    (at) => writeFileSync(at, 'own c'),
  ];
  for (const put of strangers) {
    put(path.join(place, 'd'));
    await expect(writeFolderWhole(place, [{ name: 'c', bytes }], isOwn)).rejects.toThrow('not empty');
    expect([readdirSync(root), readdirSync(place)]).toEqual([['out'], ['c', 'd']]);
    expect(readFileSync(path.join(place, 'c'), 'utf8')).toBe('own c');
    rmSync(path.join(place, 'd'), { recursive: true });
  }
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
