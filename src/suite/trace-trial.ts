import { PasskError } from '../errors.ts';
import { inspectInWorker } from '../pool/inspect-in-worker.ts';
import { startClock } from '../pool/start-clock.ts';
import { buildProgram } from '../trial/build-program.ts';
import type { Trace } from '../types/trace.ts';
import type { TrialResult } from '../types/trial.ts';
import type { Scenario } from '../types/scenario.ts';
import type { RunSuiteOptions } from './options.ts';
import { planOne } from './plan-one.ts';

/** Which trial to show; the other options must be those of the run it is taken from. */
export interface TraceTrialOptions
  extends Pick<
    RunSuiteOptions,
    'cwd' | 'seed' | 'sampler' | 'timeoutMs' | 'plugins' | 'permissions' | 'isolation' | 'onOutput'
  > {
  readonly file: string;
  readonly trial: number;
}

export interface TracedTrial {
  readonly scenario: Scenario;
  readonly result: TrialResult;
  readonly trace: Trace;
}

/** Runs one trial of one scenario file again and tells everything that happened. Rejects as `runSuite` does. */
export async function traceTrial({ file, trial, ...given }: TraceTrialOptions): Promise<TracedTrial> {
  if (!Number.isInteger(trial) || trial < 0 || trial >= 2 ** 32) {
    throw new PasskError('USAGE', `\`trial\` must be a whole number from 0, got ${trial}.`);
  }
  const { scenario, planned, plugins, granted = null, options } = await planOne(file, given);
  // The real world may hang as code of the user may.
  if (planned.userCode || planned.effects !== undefined) {
    return { scenario, ...(await inspectInWorker({ plan: planned, plugins, granted, trial }, options)) };
  }
  const program = await buildProgram(planned, { plugins, callHost: null, startClock, effects: null });
  return { scenario, ...(await program.inspect(trial)) };
}
