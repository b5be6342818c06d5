import { exactOf } from '../public/suites.ts';
import type { ProgressEvent, SuiteResult } from '../public/types.ts';
import { formatCount, plural } from '../text/format-number.ts';
import { visibleLines } from '../text/visible-text.ts';
import { nounOf } from '../values/noun-of.ts';
import type { Terminal } from './terminal.ts';

/** What a run shows on stderr while it goes on. */
export interface ProgressDisplay {
  readonly show: (event: ProgressEvent) => void;
  /** Removes the bar, so that the next text starts on an empty line. */
  readonly clear: () => void;
}

const SILENT: ProgressDisplay = { show: () => undefined, clear: () => undefined };
const FRAME_MS = 80;

/**
 * On a terminal, a bar that redraws itself, with a line for each model that is tested. Elsewhere nothing, or a line per
 * scenario when `verbose`.
 */
export async function createProgressDisplay(
  terminal: Terminal,
  { quiet, verbose, color }: { readonly quiet: boolean; readonly verbose: boolean; readonly color: boolean },
): Promise<ProgressDisplay> {
  if (quiet) return SILENT;
  if (!terminal.live) return verbose ? { show: (event) => printLine(terminal, event), clear: () => undefined } : SILENT;
  const [{ createLogUpdate }, { NO_PROGRESS, nextProgress, renderProgress }] = await Promise.all([
    import('log-update'),
    import('../public/progress.ts'),
  ]);
  const draw = createLogUpdate(terminal.stderr, { showCursor: true });
  const { unicode } = terminal;
  let state = NO_PROGRESS;
  let startedAt = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show(event) {
      const now = performance.now();
      if (event.kind === 'planned') startedAt = now;
      state = { ...nextProgress(state, event), elapsedMs: now - startedAt };
      if (event.kind === 'end') draw.clear();
      if (event.kind !== 'progress' || now - drawnAt < FRAME_MS) return;
      drawnAt = now;
      const { columns, rows: lines } = terminal.stderr;
      draw(visibleLines(renderProgress(state, columns, { color, unicode, lines }), { styled: color }));
    },
    clear: () => draw.clear(),
  };
}

function printLine(terminal: Terminal, event: ProgressEvent): void {
  if (event.kind === 'planned') {
    const { scenarios, trials, workers } = event;
    const counts = [...(scenarios === 0 ? [] : [plural(scenarios, 'scenario')]), plural(trials, 'trial')];
    terminal.say([...counts, plural(workers, 'worker')].join(', '));
  }
  if (event.kind === 'scenario') {
    const { name, verdict, trials } = event.report;
    const exact = exactOf(event.report);
    const outcome =
      exact === null
        ? `${formatCount(trials.passed)} of ${plural(trials.executed + trials.deduplicated, 'trial')} passed`
        : `exact pass rate ${exact.passRate}`;
    terminal.say(`${name}: ${verdict}, ${outcome}`);
  }
  if (event.kind === 'result') {
    const { report } = event;
    terminal.say(`${nounOf(report)} ${report.name}: ${report.verdict}${scoreText(report)}`);
  }
}

function scoreText(report: SuiteResult): string {
  if (report.kind !== 'contract') return '';
  return report.score === null ? ', no score' : `, score ${report.score.toFixed(2)}`;
}
