import { wilsonInterval } from '../../stats/wilson.ts';
import type { Amount, Count, Proportion } from '../../types/numbers.ts';
import type { ProgressEvent, ProgressRow } from '../../types/progress.ts';

/** A run as a page shows it while it goes on. */
export interface LiveRun {
  /** `reporting`: all trials have run, and the report is made. */
  readonly stage: 'loading' | 'running' | 'reporting';
  /** Scenarios that are run. */
  readonly scenarios: Count;
  /** Trials with a result; `failed` are those of them that failed or are broken. */
  readonly done: Count;
  /** Those of `done` that failed or are broken. */
  readonly failed: Count;
  /** Trials that are to be run. */
  readonly total: Count;
  /** What has a line of its own, such as a model; []: nothing has. */
  readonly parts: readonly ProgressRow[];
  /** Share of `done` that passed, with Wilson's 95 % interval; null: no trial has a result. */
  readonly passRate: Proportion | null;
  /** Wilson's 95 % interval of `passRate`; null: no trial has a result. */
  readonly passRateInterval: readonly [Proportion, Proportion] | null;
  /** Trials in a second, over the longer of five seconds and the last ten trials; null: too little has run. */
  readonly perSecond: Amount | null;
  /** Milliseconds since the plan was there. */
  readonly elapsedMs: Amount;
  /** At this speed; null: it has none. */
  readonly leftMs: Amount | null;
  /** When the plan was there, by the clock of whoever gives the events; null: it is not. */
  readonly startedAtMs: number | null;
  /** What was done when, oldest first, since the time over which speed is measured. */
  readonly samples: readonly {
    /** By the clock of whoever gives the events. */
    readonly atMs: number;
    /** Trials with a result by then. */
    readonly done: Count;
  }[];
}

/** Before the first event. */
export const NO_LIVE_RUN: LiveRun = {
  stage: 'loading',
  scenarios: 0,
  done: 0,
  failed: 0,
  total: 0,
  parts: [],
  passRate: null,
  passRateInterval: null,
  perSecond: null,
  elapsedMs: 0,
  leftMs: null,
  startedAtMs: null,
  samples: [],
};

const WINDOW_MS = 5_000;
/** Of fewer results the speed is chance: slow trials are measured over a longer time. */
const LEAST_RESULTS = 10;
/** Samples that lie closer together say nothing more about speed. */
const SAMPLE_MS = 250;
/** Speed over a shorter time is chance. */
const SHORTEST_MS = 500;

/** The run after one more event, which came at `nowMs` of a clock that only goes forward. */
export function nextLiveRun(run: LiveRun, event: ProgressEvent, nowMs: number): LiveRun {
  switch (event.kind) {
    case 'loaded':
      return { ...run, scenarios: event.scenarios };
    case 'planned': {
      const { scenarios, trials: total } = event;
      return { ...run, stage: 'running', scenarios, total, startedAtMs: nowMs, samples: [{ atMs: nowMs, done: 0 }] };
    }
    case 'progress':
      return withProgress(run, event, nowMs);
    case 'failing':
    case 'unkept':
      return run;
    case 'scenario':
    case 'result':
    case 'end':
      return { ...run, stage: 'reporting', leftMs: null };
  }
}

function withProgress(run: LiveRun, event: ProgressEvent & { kind: 'progress' }, nowMs: number): LiveRun {
  const { done, total, failed, rows: parts = [] } = event;
  const samples = withSample(run.samples, { atMs: nowMs, done });
  const perSecond = speedOf(samples, { atMs: nowMs, done });
  const passed = Math.max(0, done - failed);
  return {
    ...run,
    done,
    total,
    failed,
    parts,
    passRate: done === 0 ? null : passed / done,
    passRateInterval: wilsonInterval(done, passed),
    perSecond,
    elapsedMs: nowMs - (run.startedAtMs ?? nowMs),
    leftMs: perSecond === null ? null : (Math.max(0, total - done) / perSecond) * 1000,
    samples,
  };
}

type Sample = LiveRun['samples'][number];

/** One sample that is older than the window stays, so that the window is always full. A stall has no samples. */
function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && (sample.atMs - last.atMs < SAMPLE_MS || sample.done === last.done)) return samples;
  const from = samples.findLastIndex(
    ({ atMs, done }) => atMs <= sample.atMs - WINDOW_MS && done <= sample.done - LEAST_RESULTS,
  );
  return [...samples.slice(Math.max(0, from)), sample];
}

function speedOf([first]: readonly Sample[], { atMs, done }: Sample): number | null {
  if (first === undefined || done === first.done || atMs - first.atMs < SHORTEST_MS) return null;
  return (done - first.done) / ((atMs - first.atMs) / 1000);
}
