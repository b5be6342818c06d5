import type { ServerResponse } from 'node:http';
import { countRow, type LiveRun, nextLiveRun, NO_LIVE_RUN } from '../public/progress.ts';
import type { FailingScenario, ProgressEvent, ProgressRow } from '../public/types.ts';
import { formatCount, formatDuration, formatSpeed } from '../text/format-number.ts';
import { formatBar, formatInterval, formatRate } from '../text/format-rate.ts';
import { visibleText } from '../text/visible-text.ts';

/** Those who look at a page while a run goes on, each over a stream of server-sent events. */
export interface Watchers {
  /** `hasReport`: the report is there, and the run is over. */
  add(stream: ServerResponse, hasReport: boolean): void;
  progress(event: ProgressEvent): void;
  /** Those who look now. */
  count(): number;
  /**
   * Tells everybody that there is a new report, with a remark about it, or why there is none. No frame follows until
   * another run begins.
   */
  tell(event: 'report' | 'problem', text: string): void;
  /** Ends all streams. */
  end(): void;
}

/** What the page shows of a failing scenario, in the words of the reports. */
interface FailingRow {
  readonly id: number;
  readonly name: string;
  readonly file: string;
  readonly passed: string;
  readonly rate: string;
  readonly bar: string;
  readonly toCome: string;
  readonly reasons: readonly string[];
}

/** What has a line of its own, such as a model. */
interface PartRow {
  readonly name: string;
  readonly done: string;
  /** What became of its trials, and how many wait or are asked now: `3 failed`, in the order in which they matter. */
  readonly states: string;
}

/** No person can follow more than this allows. */
const FRAME_MS = 200;
/** Rows of each table that a page shows; the others are counted. */
const MOST_ROWS = 200;
/** In place of a figure that is not there yet. */
const NONE = '–';

/**
 * Nothing here waits for a watcher: at most every 200 ms each is sent what is new since its last frame, and nothing while
 * its connection has not taken that one. A slow watcher therefore misses frames, never the last state, and the memory that
 * is kept for it does not grow.
 */
export function createWatchers(): Watchers {
  /** Each watcher with the version of the newest row that it was sent. */
  const seen = new Map<ServerResponse, number>();
  const rows = new Map<string, FailingRow & { readonly version: number }>();
  let run = NO_LIVE_RUN;
  /** Counts the runs, so that a page knows the first frame of the next one. */
  let runNumber = 0;
  let isOver = false;
  let remark = '';
  let problem: string | null = null;
  let version = 0;
  let failing = 0;
  const hidden = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  const sendFrame = (stream: ServerResponse): void => {
    if (isOver || stream.writableNeedDrain || stream.destroyed) return;
    const since = seen.get(stream) ?? 0;
    seen.set(stream, version);
    const { stage, scenarios, done, total, parts } = run;
    const fresh = [...rows.values()].filter((row) => row.version > since);
    stream.write(
      eventText('progress', {
        runNumber,
        stage,
        scenarios,
        done,
        total,
        failing,
        texts: {
          ...figureTexts(run),
          'failing-count': formatCount(failing),
          more: moreText(hidden.size),
          'more-parts': moreText(parts.length - MOST_ROWS),
        },
        rows: fresh.map(({ version: _, ...row }) => row),
        parts: parts.slice(0, MOST_ROWS).map(partRow),
      }),
    );
  };
  const sendFrames = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const stream of seen.keys()) sendFrame(stream);
  };
  const note = (scenario: FailingScenario): void => {
    const key = JSON.stringify([scenario.file, scenario.name]);
    const row = rows.get(key);
    if (row === undefined && !hidden.has(key)) failing++;
    version++;
    if (row !== undefined || rows.size < MOST_ROWS) {
      rows.set(key, { ...rowOf(scenario, row?.id ?? rows.size), version });
    } else hidden.add(key);
  };

  /** Each run begins with nothing of the one before it. */
  const forget = (): void => {
    run = NO_LIVE_RUN;
    runNumber++;
    isOver = false;
    problem = null;
    failing = 0;
    rows.clear();
    hidden.clear();
  };

  return {
    add(stream, hasReport) {
      seen.set(stream, 0);
      stream.on('close', () => seen.delete(stream));
      stream.on('error', () => seen.delete(stream));
      stream.on('drain', () => sendFrame(stream));
      if (hasReport) stream.write(eventText('report', remark));
      if (problem !== null) stream.write(eventText('problem', problem));
      sendFrame(stream);
    },
    progress(event) {
      if (event.kind === 'loaded') forget();
      run = nextLiveRun(run, event, performance.now());
      if (event.kind === 'failing') note(event.scenario);
      timer ??= setTimeout(sendFrames, FRAME_MS).unref();
    },
    count: () => seen.size,
    tell(event, text) {
      sendFrames();
      isOver = true;
      if (event === 'report') remark = text;
      problem = event === 'problem' ? text : null;
      for (const stream of seen.keys()) stream.write(eventText(event, text));
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      for (const stream of seen.keys()) stream.end(eventText('end', null));
    },
  };
}

/** The figures of a run, by the places of the page where they stand. */
function figureTexts(run: LiveRun): Readonly<Record<string, string>> {
  const { passRate, passRateInterval, perSecond, leftMs } = run;
  return {
    done: `${formatCount(run.done)} of ${formatCount(run.total)}`,
    scenarios: formatCount(run.scenarios),
    rate: passRate === null || passRateInterval === null ? NONE : rateText(passRate, passRateInterval),
    failed: formatCount(run.failed),
    speed: perSecond === null ? NONE : formatSpeed(perSecond),
    elapsed: formatDuration(run.elapsedMs),
    left: leftMs === null ? NONE : formatDuration(leftMs),
  };
}

function rateText(rate: number, interval: readonly [number, number]): string {
  return `${formatRate(rate)} ${formatInterval(interval)}`;
}

function moreText(more: number): string {
  return more > 0 ? `${formatCount(more)} more are in the report.` : '';
}

/** Names and reasons come from files and subjects: nothing in them may act on whoever reads them. */
function rowOf({ trials, ...scenario }: FailingScenario, id: number): FailingRow {
  const { passed, failed, broken, requested } = trials;
  const ran = passed + failed + broken;
  return {
    id,
    name: visibleText(scenario.name),
    file: visibleText(scenario.file),
    passed: `${formatCount(passed)} of ${formatCount(ran)}`,
    rate: rateText(scenario.passRate, scenario.passRateInterval),
    bar: barText(scenario),
    toCome: formatCount(requested - ran),
    reasons: [
      ...scenario.checks.map(({ check, failed: count }) => `${visibleText(check)}: ${formatCount(count)} failed`),
      ...scenario.brokenCauses.map(
        ({ cause, count }) => `${formatCount(count)} broken: ${visibleText(cause, { longest: 300 })}`,
      ),
    ],
  };
}

/** The bar that decides: its own, or the suite's floor above it. */
function barText({ minPassRate: own, floor = 0 }: Pick<FailingScenario, 'minPassRate' | 'floor'>): string {
  if (own === null) return 'all';
  return floor > own ? `${formatBar(floor)}, the suite's floor` : formatBar(own);
}

function partRow({ name, counts }: ProgressRow): PartRow {
  const { done, total, states } = countRow(counts);
  return {
    name: visibleText(name),
    done: `${formatCount(done)} of ${formatCount(total)}`,
    states: states.map(({ count, word }) => `${formatCount(count)} ${word}`).join(', '),
  };
}

function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
