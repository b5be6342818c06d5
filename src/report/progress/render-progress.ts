import type { ProgressEvent, ProgressRow } from '../../types/progress.ts';
import type { QueueWorker } from '../../types/queue-worker.ts';
import { finishedText } from '../ascii-text.ts';
import { takeWidth } from '../../text/display-width.ts';
import { formatCount, formatDuration, formatShort, formatSpeed } from '../../text/format-number.ts';
import { plainText } from '../plain-text.ts';
import { progressBar } from './progress-bar.ts';
import { progressRows } from './progress-rows.ts';
import { textStyle } from '../text/text-style.ts';

/** How far a run is, by its events. */
export interface ProgressState {
  /** Trials with a result. */
  readonly done: number;
  /** Trials that are to be run. */
  readonly total: number;
  /** Trials that failed or are broken. */
  readonly failed: number;
  /** Scenarios that are run. */
  readonly scenarios: number;
  /** Scenarios that have ended. */
  readonly scenariosDone: number;
  /** Scenarios that have ended and failed. */
  readonly scenariosFailed: number;
  /** Workers that the run may use. */
  readonly workers: number;
  /** The worker processes of a queue that take part now. */
  readonly peers: readonly QueueWorker[];
  /** The rows that have lines of their own. */
  readonly rows: readonly ProgressRow[];
  /** Since the first trial, by the clock of the display. */
  readonly elapsedMs: number;
}

/** The state before the first event. */
export const NO_PROGRESS: ProgressState = {
  done: 0,
  total: 0,
  failed: 0,
  scenarios: 0,
  scenariosDone: 0,
  scenariosFailed: 0,
  workers: 0,
  peers: [],
  rows: [],
  elapsedMs: 0,
};

/** The state after one more event. */
export function nextProgress(state: ProgressState, event: ProgressEvent): ProgressState {
  switch (event.kind) {
    case 'loaded':
      return { ...state, scenarios: event.scenarios };
    case 'planned':
      return { ...state, scenarios: event.scenarios, total: event.trials, workers: event.workers };
    case 'progress':
      return {
        ...state,
        done: event.done,
        total: event.total,
        failed: event.failed,
        peers: event.peers ?? [],
        rows: event.rows ?? [],
      };
    case 'scenario': {
      const failed = event.report.verdict === 'passed' ? 0 : 1;
      return {
        ...state,
        scenariosDone: state.scenariosDone + 1,
        scenariosFailed: state.scenariosFailed + failed,
      };
    }
    case 'failing':
    case 'result':
    case 'unkept':
      return state;
    case 'end':
      // Trials of contracts are not in the summary.
      return { ...state, done: Math.max(state.done, event.report.summary.trials.executed) };
  }
}

/** How `renderProgress()` draws. */
export interface ProgressOptions {
  /** True: escape codes colour the text; default false. */
  readonly color?: boolean;
  /** False: ASCII alone; default true. */
  readonly unicode?: boolean;
  /** Lines of the terminal; default 24. */
  readonly lines?: number;
}

/**
 * For a terminal: the bar with its percentage; trials, scenarios, speed and time left; a line per worker of a queue, and one
 * for each row, as far as the terminal has lines.
 */
export function renderProgress(
  state: ProgressState,
  columns: number,
  { color = false, unicode = true, lines = 24 }: ProgressOptions = {},
): string {
  // One column stays free: a line that fills the terminal wraps in some.
  const style = textStyle({ columns: columns - 1, color, unicode, verbose: false, quiet: false, timing: true });
  const width = Math.max(1, Math.min(style.columns, Math.floor(columns) - 1));
  const { done, total, failed } = state;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const wrong = Math.min(done, failed);
  const segments = [
    { count: done - wrong, isShown: false },
    { count: wrong, isShown: true },
  ];
  const { cells, rest } = progressBar(segments, total, Math.min(60, Math.max(0, width - 6)));
  const [passedCells = 0, failedCells = 0] = cells;
  const bar =
    style.paint('good', '█'.repeat(passedCells)) +
    style.paint('bad', '▒'.repeat(failedCells)) +
    style.paint('dim', '░'.repeat(rest));
  const facts = [factsText(state), ...peersTexts(state.peers)].map((line) =>
    style.paint('dim', takeWidth(line, width)),
  );
  // The line after the last stays free: the cursor stands there.
  const rows = progressRows(state.rows, { width, most: lines - facts.length - 2, style });
  const text = [`${bar} ${percent}`, ...facts, ...rows].join('\n');
  return finishedText(text, unicode);
}

const MOST_PEERS = 8;

function peersTexts(peers: readonly QueueWorker[]): readonly string[] {
  const shown = peers.slice(0, MOST_PEERS).map(({ name, trials, trialsPerSecond }) => {
    const rate = trialsPerSecond === null ? 'idle' : `${formatSpeed(trialsPerSecond)} trials/s`;
    return `  ${plainText(name)}: ${formatShort(trials)} trials · ${rate}`;
  });
  const more = peers.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} workers more`] : shown;
}

function factsText({ done, total, failed, scenarios, scenariosDone, elapsedMs }: ProgressState): string {
  const parts = [`${formatShort(done)}/${formatShort(total)} trials`];
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  if (scenarios > 1) parts.push(`${formatCount(scenariosDone)}/${formatCount(scenarios)} scenarios`);
  if (elapsedMs > 500 && done > 0) {
    parts.push(`${formatSpeed((done / elapsedMs) * 1000)} trials/s`);
    if (done < total) parts.push(`${formatDuration(((total - done) * elapsedMs) / done)} left`);
  }
  return parts.join(' · ');
}
