/** Runs followed while they go on. */
export { countRow, type RowCount, type StateCount } from '../report/progress/count-row.ts';
export { type LiveRun, nextLiveRun, NO_LIVE_RUN } from '../report/progress/live-run.ts';
export { NO_PROGRESS, nextProgress, renderProgress } from '../report/progress/render-progress.ts';
export type { ProgressOptions, ProgressState } from '../report/progress/render-progress.ts';
export { renderEvent } from '../report/render-event.ts';
