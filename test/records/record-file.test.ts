import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { openCassette } from '../../src/records/cassette-reader.ts';
import { encodeFrame } from '../../src/records/frame.ts';
import { eachFrame, FrameAppender, framesIn } from '../../src/records/record-file.ts';
import { readJournal } from '../../src/records/read-journal.ts';
import { readShard } from '../../src/records/read-shard.ts';
import { FakeDisk } from './fixtures/fake-disk.ts';

async function valuesOf(disk: FakeDisk): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of framesIn(disk.read('toy'))) values.push(value);
  return values;
}

test('frames stand in the order in which they were given, however few bytes the disk takes at a time', async () => {
  const disk = new FakeDisk(() => 7);
  disk.mostBytes = 3;
  const frames = new FrameAppender('toy', await disk.open('toy', 'wx'), disk);
  await Promise.all([1, 2, 3].map((value) => frames.append(encodeFrame(value))));
  expect(await valuesOf(disk)).toEqual([1, 2, 3]);
});

test('a frame that fails leaves nothing behind, and the next one stands in its place', async () => {
  const disk = new FakeDisk(() => 7);
  disk.mostBytes = 5;
  const frames = new FrameAppender('toy', await disk.open('toy', 'wx'), disk);
  await frames.append(encodeFrame('first'));
  disk.faults = [{ at: disk.operationCount + 1, code: 'ENOSPC' }];
  await expect(frames.append(encodeFrame('lost'))).rejects.toMatchObject({ code: 'ENOSPC' });
  await frames.append(encodeFrame('last'));
  expect(await valuesOf(disk)).toEqual(['first', 'last']);
});

test('what follows damage is not read', async () => {
  const [one, two, three] = [1, 2, 3].map((value) => encodeFrame(value));
  if (one === undefined || two === undefined || three === undefined) throw new Error('Three frames were made.');
  two.fill(0);
  const frames = framesIn([one, two, three]);
  expect(await frames.next()).toEqual({ done: false, value: { value: 1, at: 0, length: one.length } });
  expect(await frames.next()).toEqual({ done: true, value: { kind: 'corrupt', at: one.length } });
});

test('what ends a reading closes the file', async () => {
  let isOpen = true;
  async function* pieces() {
    try {
      yield encodeFrame('first');
      yield encodeFrame('second');
    } finally {
      isOpen = false;
    }
  }
  const seen: unknown[] = [];
  const reading = eachFrame(pieces(), ({ value }) => {
    seen.push(value);
    throw new Error('no more');
  });
  await expect(reading).rejects.toThrow('no more');
  expect([seen, isOpen]).toEqual([['first'], false]);
});

/** Where the system tells which files a process has open. */
test.skipIf(process.platform !== 'linux')(
  'a file that is not what it should be is refused, and closed soon',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passk-refused-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'other');
    writeFileSync(file, Buffer.concat([encodeFrame({ kind: 'other' }), encodeFrame({ kind: 'delta' })]));
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`) === file;
        } catch {
          return false;
        }
      });
    for (const read of [readShard, openCassette, readJournal]) {
      await expect(read(file)).rejects.toMatchObject({ code: 'INPUT' });
      await expect.poll(isOpen, { message: read.name, timeout: 60_000 }).toBe(false);
    }
  },
);
