import { grantedEnv } from '../effects/granted/granted-env.ts';
import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { DIRECT, MODEL_CALL, type ModelAccess, type ModelCallPayload } from '../types/model-suite.ts';
import type { Permissions } from '../types/permissions.ts';
import type { ModelPlan, RunPlan } from '../types/plan.ts';
import { isModelPlan } from '../types/subjects.ts';
import { ModelQueue } from './model-queue.ts';
import { Permits } from './permits.ts';
import { LogFolder } from './runner-log.ts';
import { runnerNamed, runnerStart, runnerTypes, startProblems } from './runner-start.ts';

/** As much as runners take of one answer. */
const LONGEST_ANSWER = 100 * 1024 * 1024;

/** The runners of one run. Needs closing. */
export interface ModelRunners {
  readonly functions: Readonly<Record<string, HostFunction>>;
  close(): Promise<void>;
}

export interface ModelServices {
  readonly permissions: Permissions;
  /** Where granted variables are. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folder that names of spec files are relative to. */
  readonly root: string;
  /** Absolute folder that what processes print is kept in; null: nowhere. */
  readonly logs: string | null;
}

/**
 * Opens the runners that a plan asks; null: none. Throws `USAGE` with everything that is missing of grants.
 */
export async function openModelRunners(plan: RunPlan, services: ModelServices): Promise<ModelRunners | null> {
  const asked = plan.scenarios.filter(isModelPlan).filter(({ scenario }) => scenario.subject.access.runner !== DIRECT);
  if (asked.length === 0) return null;
  const types = await runnerTypes(plan.plugins);
  const granted = grantedEnv(services.env, services.permissions.env);
  const folder = new LogFolder(services.logs);
  const stop = new AbortController();
  const queues = new Map<string, ModelQueue>();
  const problems = new Set<string>();
  const mostOpen = Math.min(...asked.map(({ scenario }) => scenario.subject.access.plugins));
  const shared = { plugins: new Permits(mostOpen), open: new Set<ModelQueue>(), mostOpen };
  const close = async (): Promise<void> => {
    stop.abort(new Error('the run is over'));
    await Promise.all([...queues.values()].map((queue) => queue.close()));
  };
  for (const [key, plans] of byAccess(asked)) {
    const { access } = (plans[0] as ModelPlan).scenario.subject;
    const type = runnerNamed(access.runner, types);
    const log = folder.open(access.plugin, access.runtime, granted.scrub);
    const start = runnerStart(access, { ...services, granted, signal: stop.signal, log: (line) => log.add(line) });
    for (const problem of await startProblems(type, start, access)) problems.add(problem);
    queues.set(key, new ModelQueue(type, { start, log, atOnce: access.atOnce, ...shared }));
  }
  if (problems.size > 0) {
    await close();
    throw missing([...problems]);
  }
  const call = async (given: Json, signal: AbortSignal): Promise<Json> => {
    // Made by the ports of a trial, so the shape is known.
    const { scenario, trial, alone } = given as unknown as ModelCallPayload;
    const of = plan.scenarios[scenario];
    const queue = of !== undefined && isModelPlan(of) ? queues.get(keyOf(of.scenario.subject.access)) : undefined;
    if (of === undefined || !isModelPlan(of) || queue === undefined) {
      throw new PasskError('INTERNAL', 'A call names no planned model.');
    }
    // Plain data by its type.
    return (await queue.ask(of, { trial, alone }, signal)) as unknown as Json;
  };
  return {
    // Images and sounds are long, and validators look at the whole answer.
    functions: { [MODEL_CALL]: Object.assign(call, { longest: LONGEST_ANSWER }) },
    close,
  };
}

function keyOf(access: ModelAccess): string {
  return JSON.stringify(access);
}

function byAccess(asked: readonly ModelPlan[]): ReadonlyMap<string, readonly ModelPlan[]> {
  const groups = new Map<string, ModelPlan[]>();
  for (const plan of asked) {
    const key = keyOf(plan.scenario.subject.access);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [plan]);
    else group.push(plan);
  }
  return groups;
}

function missing(problems: readonly string[]): PasskError {
  const issues = problems.map((message): Issue => ({ code: 'bad_option', severity: 'error', message }));
  return new PasskError('USAGE', problems.join(' '), { issues });
}
