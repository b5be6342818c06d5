import path from 'node:path';
import { grantsWord } from '../effects/granted-ports.ts';
import { PasskError } from '../errors.ts';
import { loadPlugins } from '../plugin/load-plugins.ts';
import type { RunnerStart, RunnerType } from '../plugin/runner-type.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { hintFor } from '../source/did-you-mean.ts';
import { builtinRunners } from '../runners/builtin.ts';
import { DIRECT } from '../types/model-suite.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { MODEL_CALL, type ModelAccess, type ModelCallPayload } from '../types/model-suite.ts';
import type { Permissions } from '../types/permissions.ts';
import type { ModelPlan, RunPlan } from '../types/plan.ts';
import { isModelPlan } from '../types/subjects.ts';
import { ModelQueue } from './model-queue.ts';
import { Permits } from './permits.ts';

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
}

/**
 * Opens the runners that a plan asks; null: none. Throws `USAGE` with everything that is missing of grants.
 */
export async function openModelRunners(plan: RunPlan, services: ModelServices): Promise<ModelRunners | null> {
  const asked = plan.scenarios.filter(isModelPlan).filter(({ scenario }) => scenario.subject.access.runner !== DIRECT);
  if (asked.length === 0) return null;
  const types = await runnerTypes(plan);
  const stop = new AbortController();
  const queues = new Map<string, ModelQueue>();
  const problems = new Set<string>();
  const mostOpen = Math.min(...asked.map(({ scenario }) => scenario.subject.access.plugins));
  const shared = { plugins: new Permits(mostOpen), open: new Set<ModelQueue>(), mostOpen };
  for (const [key, plans] of byAccess(asked)) {
    const { access } = (plans[0] as ModelPlan).scenario.subject;
    const type = types.get(access.runner);
    if (type === undefined) {
      const hint = hintFor(access.runner, [...types.keys(), DIRECT], 'runners');
      throw new PasskError('USAGE', `There is no runner "${access.runner}".`, { hint });
    }
    const start = startOf(access, { ...services, signal: stop.signal });
    const told = (await type.problems?.(start)) ?? [];
    for (const problem of [...ungranted(access, services), ...told]) problems.add(problem);
    queues.set(key, new ModelQueue(type, { start, atOnce: access.atOnce, ...shared }));
  }
  if (problems.size > 0) throw missing([...problems]);
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
    close: async () => {
      stop.abort(new Error('the run is over'));
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/** Passk's own, and what plug-ins bring. */
async function runnerTypes({ plugins }: RunPlan): Promise<ReadonlyMap<string, RunnerType>> {
  const own = (await loadPlugins(plugins)).filter((plugin) => plugin.kind === 'runner');
  return new Map([...builtinRunners, ...own].map((runner) => [runner.type, runner]));
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

function startOf(
  access: ModelAccess,
  { permissions, env, root, signal }: ModelServices & { readonly signal: AbortSignal },
): RunnerStart {
  const { plugin, runtime, command, url, models, startupTimeoutMs, healthTimeoutMs } = access;
  const absolute = (name: string): string => path.resolve(root, name);
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && grantsWord(permissions.env, name) ? [[name, value] as const] : [],
  );
  return {
    plugin,
    runtime,
    command,
    url,
    models,
    startupTimeoutMs,
    healthTimeoutMs,
    entry: access.entry === null ? null : absolute(access.entry),
    executor: access.executor === null ? null : absolute(access.executor),
    spec: absolute(access.spec),
    cwd: absolute(access.cwd),
    env: Object.fromEntries(variables),
    permissions,
    signal,
  };
}

/** Variables that a plug-in needs and that it would not see. */
function ungranted({ env, plugin, url }: ModelAccess, { permissions }: ModelServices): readonly string[] {
  const missed = url === null ? env.filter((name) => !grantsWord(permissions.env, name)) : [];
  return missed.length === 0 ? [] : [`Plug-in "${plugin}" needs --allow-env=${missed.join(',')}.`];
}

function missing(problems: readonly string[]): PasskError {
  const issues = problems.map((message): Issue => ({ code: 'bad_option', severity: 'error', message }));
  return new PasskError('USAGE', problems.join(' '), { issues });
}
