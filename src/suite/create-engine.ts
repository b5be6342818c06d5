import type { SuiteReport } from '../types/reports/report.ts';
import { withCassette } from '../host/with-cassette.ts';
import { type RunSuiteOptions, resolveRunOptions } from '../settings/options.ts';
import { runOn } from './run-suite.ts';
import { createRunner } from './runner.ts';

/** What stays the same over all runs of a warm engine. */
export type EngineOptions = Pick<
  RunSuiteOptions,
  'workers' | 'isolation' | 'concurrency' | 'plugins' | 'nodes' | 'models' | 'cwd' | 'onOutput'
>;

/** Workers that stay warm from run to run: for tools that run many suites. */
export interface SuiteEngine extends AsyncDisposable {
  /** As `runSuite`; runs that are started together take turns. */
  run(options?: Omit<RunSuiteOptions, keyof EngineOptions>): Promise<SuiteReport>;
  /** Ends the workers. A run under way rejects. */
  close(): Promise<void>;
}

/** Makes a warm engine. Close it, or declare it with `await using`. */
export function createEngine(fixed: EngineOptions = {}): SuiteEngine {
  const runner = createRunner(resolveRunOptions(fixed));
  return {
    run: async (options = {}) => runOn(runner, resolveRunOptions(await withCassette({ ...options, ...fixed }))),
    close: () => runner.close(),
    [Symbol.asyncDispose]: () => runner.close(),
  };
}
