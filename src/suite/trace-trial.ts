import { PasskError } from '../errors.ts';
import { BuiltInInspector } from '../pool/inspect-built-in.ts';
import type { MadeScenario } from '../scenario/objects/define-agent-scenario.ts';
import { MEMORY } from '../values/name-from-root.ts';
import { inspectInWorker } from '../pool/inspect-in-worker.ts';
import { startClock } from '../pool/start-clock.ts';
import { callTape, type TrialTapes } from '../trial/cassette/call-tape.ts';
import { buildProgram } from '../trial/build-program.ts';
import type { InspectedTrial } from '../trial/program.ts';
import type { HostCall } from '../trial/live-ports.ts';
import type { Json } from '../types/json.ts';
import type { RunPlan } from '../types/plan.ts';
import type { TraceDocument } from '../types/trace.ts';
import type { Scenario } from '../types/scenario.ts';
import { openOutside, type Outside } from '../host/open-outside.ts';
import type { RECORDINGS } from '../settings/rows/recordings.ts';
import type { MODEL_TESTS } from '../settings/rows/model-tests.ts';
import type { ResolvedRunOptions, RunSuiteOptions } from '../settings/options.ts';
import { withCassette } from '../host/with-cassette.ts';
import { planOne } from './plan/plan-one.ts';
import { isOutOfReach } from './trace-command.ts';

/** Which trial to show; the other options must be those of the run it is taken from. */
export interface TraceTrialOptions
  extends Pick<
    RunSuiteOptions,
    | 'cwd'
    | 'seed'
    | 'sampler'
    | 'timeoutMs'
    | 'prices'
    | 'plugins'
    | 'week'
    | 'agents'
    | 'permissions'
    | 'replay'
    | 'isolation'
    | 'onOutput'
    | 'live'
    | 'models'
    | 'judges'
    | keyof typeof MODEL_TESTS
    | keyof typeof RECORDINGS
  > {
  /** The scenario's file, or a contract's; absent: `scenario` is there. */
  readonly file?: string;
  /** A scenario or contract made in memory, instead of a file. */
  readonly scenario?: MadeScenario;
  /** Which part of a contract, by its name, such as `search-down, prompt 1`; absent: it is a scenario. */
  readonly part?: string;
  /** Number of the trial, from 0. */
  readonly trial: number;
  /**
   * True: nothing is asked or done. Policy judges each request, and what was asked stands in place of its answer, so that
   * no turn, mock or grant is needed; default: as the file says.
   */
  readonly dryRun?: boolean;
}

/** A trial that was run again. */
export interface TracedTrial extends Omit<TraceDocument, 'scenario'> {
  /** The scenario as it was loaded. */
  readonly scenario: Scenario;
}

/** Runs one trial of one scenario again and records everything that happens. Rejects as `runSuite` does. */
export async function traceTrial({
  file,
  scenario: made,
  part,
  trial,
  dryRun = false,
  ...runOptions
}: TraceTrialOptions): Promise<TracedTrial> {
  const what = file ?? made;
  if (what === undefined || (file !== undefined && made !== undefined)) {
    throw new PasskError('USAGE', 'Give either `file` or `scenario`.');
  }
  if (!Number.isInteger(trial) || trial < 0 || trial >= 2 ** 32) {
    throw new PasskError('USAGE', `\`trial\` must be a whole number from 0, got ${trial}.`);
  }
  const { scenario, planned, options, processCode, filePlaces, ...plan } = await planOne(
    what,
    await withCassette(runOptions),
    {
      ...(part !== undefined && { part }),
      dryRun,
    },
  );
  const { plugins, granted = null } = plan;
  const onePlan = { ...plan, scenarios: [planned] };
  const tapes = await tapesOf(onePlan, trial, options);
  if (isOutOfReach(planned) && tapes === null) {
    throw new PasskError(
      'USAGE',
      `${file ?? MEMORY} binds an agent and names a plug-in: its trials are shown from a cassette.`,
      {
        hint: 'Run it with --record FILE, then trace with --replay FILE.',
      },
    );
  }
  // The real world may hang as code of the user may.
  if (planned.userCode || (planned.effects !== undefined && tapes === null)) {
    const task = { plan: planned, plugins, granted, trial, ...(tapes ?? NO_TAPES) };
    return tracedTrial(
      scenario,
      await inspectInWorker(task, { ...options, isolation: scenario.isolation ?? options.isolation }),
    );
  }
  if (planned.traits.sync && tapes === null) {
    return tracedTrial(scenario, await new BuiltInInspector(planned, options).inspect(trial));
  }
  const services = { ...options, processCode, filePlaces };
  const outside = tapes === null ? await openOutside(onePlan, services, process.env) : null;
  try {
    const callHost = outside === null ? callTape(tapes ?? NO_TAPES) : callOutside(outside);
    const program = await buildProgram(planned, { plugins, callHost, processCode, startClock, effects: null });
    return tracedTrial(scenario, await program.inspect(trial));
  } finally {
    await outside?.close(true);
  }
}

function tracedTrial(scenario: Scenario, { result, trace, record }: InspectedTrial): TracedTrial {
  return { scenario, result, trace, record };
}

/** Agents and models are asked again and may answer otherwise. The faults around them are the same. */
function callOutside({ functions }: Outside): HostCall {
  return async (name, payload, _timeoutMs, signal) => {
    const call = functions[name];
    if (call === undefined) throw new PasskError('INTERNAL', `A trace asks for ${name}.`);
    // Made by passk's own functions, so it is plain data.
    return (await call(payload, signal ?? new AbortController().signal)) as Json;
  };
}

const NO_TAPES: TrialTapes = { tape: null, judgeTape: null };

/** Null: no cassette is replayed. */
async function tapesOf(plan: RunPlan, trial: number, options: ResolvedRunOptions): Promise<TrialTapes | null> {
  if (options.cassette === null) return null;
  const { replayCassette } = await import('../host/cassette-run.ts');
  const player = await replayCassette(options.cassette.file, plan, options);
  try {
    const found = await player.find({ scenario: 0, trial });
    const judged = await player.find({ scenario: 0, trial, part: 'judge' });
    return { tape: found?.tape ?? null, judgeTape: judged?.tape ?? null };
  } finally {
    await player.close();
  }
}
