import { expect, test } from 'vitest';
import { LowestTrials } from '../../src/trial/lowest-trials.ts';
import { TraceRecorder } from '../../src/trial/trace-recorder.ts';
import type { TraceEvent } from '../../src/types/trace.ts';

const anEdge = (to: string): TraceEvent => ({
  kind: 'edge',
  walk: '',
  node: 'a',
  visit: 1,
  attempt: 1,
  atUs: 0,
  to,
  when: null,
});

test('a failing trial keeps what happened in it, and nothing of the trial before', () => {
  const recorder = new TraceRecorder(new LowestTrials());
  recorder.begin();
  recorder.event(anEdge('left'));
  recorder.begin();
  recorder.event(anEdge('right'));
  expect(JSON.parse(recorder.keep(7, null) ?? '')).toEqual({ events: [anEdge('right')], omitted: 0 });
});

test('a trial that is too long ends where it no longer fits, and says how much is missing', () => {
  const recorder = new TraceRecorder(new LowestTrials());
  recorder.begin();
  for (let at = 0; at < 10; at++) recorder.event(anEdge('x'.repeat(100_000)));
  const kept = JSON.parse(recorder.keep(0, anEdge('end')) ?? '') as { events: unknown[]; omitted: number };
  expect([kept.events.length, kept.events.at(-1), kept.omitted]).toEqual([3, anEdge('end'), 8]);
});

test('only the lowest failing trials of a program are kept, whatever order they end in', () => {
  const lowest = new LowestTrials();
  expect([9, 4, 12, 20, 5, 11, 1].map((trial) => lowest.add(trial))).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
});
