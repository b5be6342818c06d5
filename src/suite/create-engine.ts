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
  refuseMisplaced(fixed, (name) => !ENGINE_OPTIONS.some((own) => own === name), 'a run', '`run` of the engine');
  return {
    run: async (options = {}) => {
      const isOfEngine = (name: string, value: unknown): boolean =>
        AT_START.includes(name) || isSaid(fixed, name) || (name === 'models' && hasFunctions(value));
      refuseMisplaced(options, isOfEngine, 'the engine, and not of a run', 'createEngine()');
      return runOn(runner, resolveRunOptions(await withCassette({ ...options, ...fixed })));
    },
    close: () => runner.close(),
    [Symbol.asyncDispose]: () => runner.close(),
  };
}

/** True: the engine itself says it, and what it says would win. */
function isSaid(fixed: object, name: string): boolean {
  return Object.entries(fixed).some(([said, value]) => said === name && value !== undefined);
}

/** Models that are functions are made known to workers when the engine is made; those of addresses are not. */
function hasFunctions(models: unknown): boolean {
  return (
    typeof models === 'object' && models !== null && Object.values(models).some((one) => typeof one === 'function')
  );
}

/** Options of one place at the other: types refuse them, but not where an object is spread. */
function refuseMisplaced(
  options: object,
  isMisplaced: (name: string, value: unknown) => boolean,
  of: string,
  place: string,
): void {
  const misplaced = Object.entries(options).filter(([name, value]) => value !== undefined && isMisplaced(name, value));
  if (misplaced.length === 0) return;
  const names = misplaced.map(([name]) => `\`${name}\``).join(', ');
  const isOne = misplaced.length === 1;
  throw new PasskError('USAGE', `${names} ${isOne ? 'is an option' : 'are options'} of ${of}.`, {
    hint: `Give ${isOne ? 'it' : 'them'} to ${place}.`,
  });
}
