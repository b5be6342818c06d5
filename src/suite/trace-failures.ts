import path from 'node:path';
import { PasskError } from '../errors.ts';
import { isModuleFile } from '../source/scan-folder.ts';
import type { FailureTrace } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { isJudged } from '../types/reports/scenario-report.ts';
import { MEMORY, nameFromRoot } from '../values/name-from-root.ts';
import type { RunSuiteOptions } from '../settings/options.ts';
import { wasLoaded } from './load-module.ts';
import { type TracedTrial, traceTrial, type TraceTrialOptions } from './trace-trial.ts';

/** Every trace is one trial more, and one file read again. */
const MOST = { scenarios: 40, trials: 2 } as const;

/** What the trials depend on and the report does not say. Scenarios made in memory: those of the run; others have files. */
export type TraceFailuresOptions = Pick<RunSuiteOptions, 'cwd' | 'timeoutMs' | 'plugins' | 'isolation' | 'scenarios'>;

/**
 * The lowest failing trials of the first failing scenarios, step by step: those that are pure by running them again, so
 * that they go the same way, the others as they were recorded. What has changed since is left out.
 */
export async function traceFailures(
  { seed, scenarios, timing }: Pick<SuiteReport, 'seed' | 'scenarios' | 'timing'>,
  { scenarios: made = [], ...options }: TraceFailuresOptions = {},
): Promise<readonly FailureTrace[]> {
  const traces: FailureTrace[] = [];
  const failing = scenarios.filter(isJudged).filter(({ failures }) => failures.length > 0);
  for (const { name, file, pure, sampler, failures } of failing.slice(0, MOST.scenarios)) {
    const scenario = file === MEMORY ? made.find((one) => 'name' in one && one.name === name) : undefined;
    if (isModuleFile(file) && !wasLoaded(path.resolve(options.cwd ?? process.cwd(), nameFromRoot(timing.root, file))))
      continue;
    const subject = scenario === undefined ? { file: nameFromRoot(timing.root, file), part: name } : { scenario };
    for (const { trial, verdict, path, trace } of failures.slice(0, MOST.trials)) {
      if (!pure) {
        if (trace !== undefined) traces.push({ file, scenario: name, trial, events: trace.events });
        continue;
      }
      const traced = await traceOrNull({ ...options, ...subject, seed, sampler, trial });
      if (traced?.trace == null || traced.result.verdict !== verdict) break;
      const walked = traced.result.outcome?.path ?? [];
      if (walked.slice(0, 100).join('\n') !== path.slice(0, 100).join('\n')) break;
      traces.push({ file, scenario: name, trial, events: traced.trace.events });
    }
  }
  return traces;
}

async function traceOrNull(options: TraceTrialOptions): Promise<TracedTrial | null> {
  try {
    return await traceTrial(options);
  } catch (error) {
    // Its file is missing or was edited since, so the page shows no steps.
    if (error instanceof PasskError) return null;
    throw error;
  }
}
