import { expect, test } from 'vitest';
import { encodeFrame } from '../../src/records/frame.ts';
import { FrameAppender, framesIn } from '../../src/records/record-file.ts';
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
