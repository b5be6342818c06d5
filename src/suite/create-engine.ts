import type { SuiteReport } from '../types/reports/report.ts';
import { PasskError } from '../errors.ts';
import { withCassette } from '../host/with-cassette.ts';
import { type RunSuiteOptions, resolveRunOptions } from '../settings/options.ts';
import { runOn } from './run-suite.ts';
import { createRunner } from './runner.ts';

const ENGINE_OPTIONS = [
  'workers',
  'isolation',
  'concurrency',
  'plugins',
  'nodes',
  'models',
  'cwd',
  'onOutput',
] as const satisfies readonly (keyof RunSuiteOptions)[];

/** Of these, what is used when an engine is made; the others may be said by a run where the engine says nothing. */
const AT_START: readonly string[] = ['workers', 'isolation', 'concurrency', 'nodes', 'onOutput'];

/** What stays the same over all runs of a warm engine. */
export type EngineOptions = Pick<RunSuiteOptions, (typeof ENGINE_OPTIONS)[number]>;

/** Workers that stay warm from run to run: for tools that run many suites. */
export interface SuiteEngine extends AsyncDisposable {
  /** As `runSuite`; runs that are started together take turns. */
  run(options?: Omit<RunSuiteOptions, keyof EngineOptions>): Promise<SuiteReport>;
  /** Ends the workers. A run under way rejects. */
  close(): Promise<void>;
}

/**
 * Makes a warm engine. Close it, or declare it with `await using`. Throws `USAGE` for options that cannot be used, and for those
 * of single runs; `run` rejects for those of the engine.
 */
export function createEngine(fixed: EngineOptions = {}): SuiteEngine {
  const runner = createRunner(resolveRunOptions(fixed));
  refuseMisplaced(fixed, { isOfEngine: false });
  return {
    run: async (options = {}) => {
      refuseMisplaced(options, { isOfEngine: true });
      return runOn(runner, resolveRunOptions(await withCassette({ ...options, ...fixed })));
    },
    close: () => runner.close(),
    [Symbol.asyncDispose]: () => runner.close(),
  };
}

/** Options of one place at the other: types refuse them, but not where an object is spread. */
function refuseMisplaced(options: object, { isOfEngine }: { readonly isOfEngine: boolean }): void {
  const names = Object.entries(options).flatMap(([name, value]) => {
    const isMisplaced = isOfEngine ? AT_START.includes(name) : !ENGINE_OPTIONS.some((own) => own === name);
    return isMisplaced && value !== undefined ? [`\`${name}\``] : [];
  });
  if (names.length === 0) return;
  const what = names.length === 1 ? 'is an option' : 'are options';
  throw new PasskError(
    'USAGE',
    `${names.join(', ')} ${what} of ${isOfEngine ? 'the engine, and not of a run' : 'a run'}.`,
    {
      hint: `Give ${names.length === 1 ? 'it' : 'them'} to ${isOfEngine ? 'createEngine()' : '`run` of the engine'}.`,
    },
  );
}
