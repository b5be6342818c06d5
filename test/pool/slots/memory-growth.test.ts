import { expect, test } from 'vitest';
import { MemoryGrowth } from '../../../src/pool/slots/memory-growth.ts';

test('a worker that is silent while memory grows by half of its heap has filled it', () => {
  const growth = new MemoryGrowth(1000);
  growth.note(0, 100, false);
  growth.note(0, 590, true);
  expect(growth.hasFilled(0)).toBe(false);
  growth.note(0, 610, true);
  // What has been given back meanwhile was taken all the same.
  growth.note(0, 300, true);
  expect(growth.hasFilled(0)).toBe(true);
  growth.note(0, 300, false);
  expect(growth.hasFilled(0)).toBe(false);
});

test('of several silent workers each may have taken what memory grew by', () => {
  const growth = new MemoryGrowth(1000);
  for (const worker of [0, 1]) growth.note(worker, 100, false);
  for (const worker of [0, 1]) growth.note(worker, 700, true);
  expect([growth.hasFilled(0), growth.hasFilled(1)]).toEqual([false, false]);
  for (const worker of [0, 1]) growth.note(worker, 1100, true);
  expect([growth.hasFilled(0), growth.hasFilled(1)]).toEqual([true, true]);
});

test('nobody is suspected where memory cannot be told', () => {
  const growth = new MemoryGrowth(1000);
  growth.note(0, null, false);
  growth.note(0, null, true);
  growth.note(1, 5000, true);
  expect([growth.hasFilled(0), growth.hasFilled(1)]).toEqual([false, false]);
});
