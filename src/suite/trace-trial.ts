import { PasskError } from '../errors.ts';
import { inspectInWorker } from '../pool/inspect-in-worker.ts';
import { startClock } from '../pool/start-clock.ts';
import { buildProgram } from '../trial/build-program.ts';
import type { Trace } from '../types/trace.ts';
import type { TrialResult } from '../types/trial.ts';
import type { Scenario } from '../types/scenario.ts';
import { loadFor, requireLoaded } from './load-suite.ts';
import { resolveRunOptions, type RunSuiteOptions } from './options.ts';
import { planRun } from './plan.ts';

/** Which trial to show; the other options must be those of the run it is taken from. */
export interface TraceTrialOptions
  extends Pick<RunSuiteOptions, 'cwd' | 'seed' | 'sampler' | 'timeoutMs' | 'plugins' | 'permissions' | 'isolation'> {
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
  const options = resolveRunOptions({ ...given, paths: [file] });
  if (!Number.isInteger(trial) || trial < 0 || trial >= 2 ** 32) {
    throw new PasskError('USAGE', `\`trial\` must be a whole number from 0, got ${trial}.`);
  }
  const input = await loadFor(options);
  requireLoaded(input, { keepGoing: false });
  const [scenario, ...others] = input.suite.scenarios;
  if (scenario === undefined || others.length > 0) {
    throw new PasskError('USAGE', `${file} is not one scenario file.`, { hint: 'Name a single .toml file.' });
  }
  const plan = planRun({ ...input, scenarios: [scenario] }, options);
  const [planned] = plan.scenarios;
  if (planned === undefined) throw new PasskError('INTERNAL', 'The scenario was not planned.');
  const { plugins, granted = null } = plan;
  // The real world may hang as code of the user may.
  if (planned.userCode || planned.effects !== undefined) {
    return { scenario, ...(await inspectInWorker({ plan: planned, plugins, granted, trial }, options.isolation)) };
  }
  const program = await buildProgram(planned, { plugins, callHost: null, startClock, effects: null });
  return { scenario, ...(await program.inspect(trial)) };
}
