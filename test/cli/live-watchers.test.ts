import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchers } from '../../src/cli/live-watchers.ts';
import type { FailingScenario, ProgressEvent } from '../../src/types/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Watcher {
  readonly stream: ServerResponse;
  /** What it was sent, oldest first. */
  readonly frames: () => readonly Frame[];
  /** The names of all that it was sent. */
  readonly events: () => readonly string[];
  /** Takes what waits for it. */
  readonly take: () => void;
}

interface Frame {
  readonly runNumber: number;
  readonly done: number;
  readonly failing: number;
  readonly rows: readonly Row[];
}

interface Row {
  readonly name: string;
  readonly passed: string;
  readonly bar: string;
  readonly reasons: readonly string[];
}

/** A watcher whose connection takes nothing until it is told to, where it is slow. */
function aWatcher({ slow = false } = {}): Watcher {
  let text = '';
  let waiting: (() => void) | null = null;
  const stream = new Writable({
    highWaterMark: 64,
    write(chunk, _, done) {
      text += String(chunk);
      if (slow) waiting = done;
      else done();
    },
  });
  return {
    stream: stream as unknown as ServerResponse,
    frames: () => [...text.matchAll(/^event: progress\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data)),
    events: () => [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name),
    take: () => waiting?.(),
  };
}

function failing(name: string, failed = 1): ProgressEvent {
  const trials = { requested: 10, executed: failed, deduplicated: 0, passed: 0, failed, broken: 0 };
  const scenario: FailingScenario = {
    name,
    file: `${name}.toml`,
    trials,
    minPassRate: null,
    passRate: 0,
    passRateInterval: [0, 0.5],
    checks: [{ check: 'last_node', failed }],
    brokenCauses: [],
  };
  return { kind: 'failing', scenario };
}

const progress = (done: number): ProgressEvent => ({ kind: 'progress', done, total: 10_000, failed: 0 });

test('each watcher gets what is new, and whoever comes later gets all of it', async () => {
  const watchers = createWatchers();
  const early = aWatcher();
  watchers.add(early.stream, false);
  watchers.progress(failing('one'));
  await vi.advanceTimersByTimeAsync(250);
  watchers.progress(failing('two'));
  watchers.progress(failing('two', 2));
  await vi.advanceTimersByTimeAsync(250);
  const late = aWatcher();
  watchers.add(late.stream, false);
  await vi.advanceTimersByTimeAsync(0);
  expect(early.frames().map(({ rows }) => rows.map(({ name, passed }) => `${name} ${passed}`))).toEqual([
    [],
    ['one 0 of 1'],
    ['two 0 of 2'],
  ]);
  expect(late.frames().map(({ rows }) => rows.map(({ name }) => name))).toEqual([['one', 'two']]);
});

test('a watcher that takes nothing is sent one frame, costs the run nothing, and then sees the last state', async () => {
  const watchers = createWatchers();
  const [slow, quick] = [aWatcher({ slow: true }), aWatcher()];
  watchers.add(slow.stream, false);
  watchers.add(quick.stream, false);
  for (let done = 1; done <= 100; done++) {
    watchers.progress(progress(done));
    watchers.progress(failing('one', done));
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(quick.frames().length).toBe(101);
  expect(slow.frames().length).toBe(1);
  // What waits for it is the frame that its connection has begun, and no more.
  expect(slow.stream.writableLength).toBeLessThan(1000);
  slow.take();
  await vi.advanceTimersByTimeAsync(0);
  expect(slow.frames().at(-1)).toMatchObject({ done: 100, rows: [{ name: 'one', passed: '0 of 100' }] });
  expect(slow.frames().length).toBe(2);
});

test('of very many failing scenarios the first 200 have rows, and all are counted', async () => {
  const watchers = createWatchers();
  for (const round of [1, 2]) for (let i = 0; i < 500; i++) watchers.progress(failing(`s${i}`, round));
  const watcher = aWatcher();
  watchers.add(watcher.stream, false);
  await vi.advanceTimersByTimeAsync(250);
  const [frame] = watcher.frames();
  expect([frame?.failing, frame?.rows.length, frame?.rows.at(-1)?.name]).toEqual([500, 200, 's199']);
});

test('names and reasons are shown, not obeyed', async () => {
  const watchers = createWatchers();
  watchers.progress(failing('a\u001b]0;x\u0007\u202Eb'));
  const watcher = aWatcher();
  watchers.add(watcher.stream, false);
  await vi.advanceTimersByTimeAsync(250);
  expect(watcher.frames()[0]?.rows[0]?.name).toBe('a\\u{1b}]0;x\\u{7}\\u{202e}b');
});

test('a report is the last that is told of its run, and the next run has another number', async () => {
  const watchers = createWatchers();
  const watcher = aWatcher();
  watchers.progress({ kind: 'loaded', scenarios: 1, issues: [] });
  watchers.add(watcher.stream, false);
  watchers.progress(progress(7));
  watchers.tell('report', '');
  watchers.progress(progress(8));
  await vi.advanceTimersByTimeAsync(1000);
  expect(watcher.events()).toEqual(['progress', 'progress', 'report']);
  expect(watcher.frames().at(-1)?.done).toBe(7);
  watchers.progress({ kind: 'loaded', scenarios: 1, issues: [] });
  await vi.advanceTimersByTimeAsync(250);
  expect(watcher.frames().map(({ runNumber }) => runNumber)).toEqual([1, 1, 2]);
});

test('whoever comes after a run that has no report hears why, until the next run begins', async () => {
  const watchers = createWatchers();
  watchers.tell('problem', 'nothing was run');
  const [during, after] = [aWatcher(), aWatcher()];
  watchers.add(during.stream, true);
  watchers.progress({ kind: 'loaded', scenarios: 1, issues: [] });
  watchers.add(after.stream, true);
  expect([during.events(), after.events()]).toEqual([
    ['report', 'problem'],
    ['report', 'progress'],
  ]);
});

test('numbers come as the reports write them', async () => {
  const watchers = createWatchers();
  const [trials, requested] = [1_000_000, 2_000_000];
  const counts = { requested, executed: trials, deduplicated: 0, passed: trials - 4, failed: 3, broken: 1 };
  const scenario: FailingScenario = {
    name: 'one',
    file: 'one.toml',
    trials: counts,
    minPassRate: 0.955,
    passRate: counts.passed / trials,
    passRateInterval: [0.99999, 0.999999],
    checks: [{ check: 'last_node', failed: 1200 }],
    brokenCauses: [{ cause: 'away', count: 1300, lowestTrial: 4 }],
  };
  watchers.progress({ kind: 'progress', done: trials, total: requested, failed: 4 });
  watchers.progress({ kind: 'failing', scenario });
  const watcher = aWatcher();
  watchers.add(watcher.stream, false);
  await vi.advanceTimersByTimeAsync(250);
  expect(watcher.frames()[0]).toMatchObject({
    texts: { done: '1,000,000 of 2,000,000', rate: '0.999996 [0.99999, 0.999998]', failed: '4', speed: '–', left: '–' },
    rows: [
      {
        passed: '999,996 of 1,000,000',
        rate: '0.999996 [0.99999, 0.999999]',
        bar: '0.955',
        toCome: '1,000,000',
        reasons: ['last_node: 1,200 failed', '1,300 broken: away'],
      },
    ],
  });
});

test('the bar is the one that decides: its own, or the floor of the suite above it', async () => {
  const watchers = createWatchers();
  const { scenario } = failing('one') as ProgressEvent & { kind: 'failing' };
  const bars = [{}, { floor: 0.5 }, { minPassRate: 0.9, floor: 0.5 }, { minPassRate: 0.9, floor: 0.955 }];
  for (const [at, bar] of bars.entries()) {
    watchers.progress({ kind: 'failing', scenario: { ...scenario, ...bar, name: `${at}` } });
  }
  const watcher = aWatcher();
  watchers.add(watcher.stream, false);
  await vi.advanceTimersByTimeAsync(250);
  expect(watcher.frames()[0]?.rows.map(({ bar }) => bar)).toEqual(['all', 'all', '0.90', "0.955, the suite's floor"]);
});
