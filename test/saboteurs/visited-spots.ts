import { type Profiler, Session } from 'node:inspector';
import type { Spot } from './sighting.ts';

/** Tells which of some spots have run since it was asked last. */
export interface SpotWatch {
  /** Positions of the spots. */
  visited(): readonly number[];
  close(): void;
}

/** Watches spots of this thread by what V8 counts of each block of code, which slows it down meanwhile. */
export function watchSpots(spots: readonly Spot[]): SpotWatch {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    visited: () => {
      let scripts: readonly Profiler.ScriptCoverage[] = [];
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        scripts = result;
      });
      const functions = new Map(scripts.map((script) => [script.url, script.functions]));
      return spots.flatMap((spot, position) => (hasRun(functions.get(spot.file) ?? [], spot) ? [position] : []));
    },
    close: () => session.disconnect(),
  };
}

function hasRun(functions: readonly Profiler.FunctionCoverage[], { start, end }: Spot): boolean {
  return [start, end].some((offset) => countAt(functions, offset) > 0);
}

/** How often the innermost block around a place has run. */
function countAt(functions: readonly Profiler.FunctionCoverage[], offset: number): number {
  let inner: Profiler.CoverageRange | null = null;
  for (const { ranges } of functions) {
    for (const range of ranges) {
      if (range.startOffset > offset || range.endOffset <= offset) continue;
      if (inner === null || range.endOffset - range.startOffset <= inner.endOffset - inner.startOffset) inner = range;
    }
  }
  return inner?.count ?? 0;
}
