import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../src/cli/key-text.ts';
import { readGolden } from '../../src/golden/golden-file.ts';
import { nodeFiles } from '../../src/records/file-layer.ts';
import { openPlain, openPlainSync, readPlain } from '../../src/records/open-plain.ts';
import { readShard } from '../../src/records/read-shard.ts';
import { finishedKind } from '../../src/release/finished-kind.ts';
import { readRecord } from '../../src/release/record-files.ts';

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'passk-plain-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file is read whole, in pieces and from its descriptor', async () => {
  const text = 'x'.repeat(3_000_000);
  writeFileSync(at('plain'), text);
  const pieces: Uint8Array[] = [];
  for await (const piece of nodeFiles.read(at('plain'))) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(1);
  expect([Buffer.concat(pieces).toString(), Buffer.from(await readPlain(at('plain'))).toString()]).toEqual([
    text,
    text,
  ]);
  const descriptor = openPlainSync(at('plain'));
  expect(readSync(descriptor, Buffer.alloc(4))).toBe(4);
  closeSync(descriptor);
  await expect(readPlain(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(readPlain(at('plain'), 3)).rejects.toThrow('it has 3000000 bytes, more than the 3 that are read');
});

// A file of another kind would be waited for until somebody writes into it.
describe.skipIf(process.platform === 'win32')('a pipe in place of a file', () => {
  beforeAll(() => void execFileSync('mkfifo', [at('pipe')]));

  test('is refused, and nobody waits for its other end', async () => {
    await expect(readRecord(at('pipe'), 'pipe')).rejects.toMatchObject({ hint: 'Name a regular file.' });
    expect(() => openPlainSync(at('pipe'))).toThrow('it is no regular file');
    await expect(openPlain(at('pipe'))).rejects.toThrow('it is no regular file');
  });

  test.each<[string, (pipe: string) => unknown]>([
    ['a release record', (pipe) => readRecord(pipe, pipe)],
    ['a golden set', (pipe) => readGolden(pipe, pipe)],
    ['a shard', (pipe) => readShard(pipe)],
    ['a key', (pipe) => textOf(pipe)],
    ['what a release takes', async (pipe) => finishedKind(pipe, pipe)],
  ])('is said where it stands for %s', async (_what, read) => {
    await expect(read(at('pipe'))).rejects.toMatchObject({
      code: 'INPUT',
      message: `${at('pipe')} cannot be read: it is no regular file.`,
    });
  });
});
