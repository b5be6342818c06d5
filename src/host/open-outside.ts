import { PasskError } from '../errors.ts';
import { LIVE_CALL } from '../plugin/live-node.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import type { Issue } from '../types/issue.ts';
import type { LiveCounts, LiveRow } from '../types/live-counts.ts';
import type { RunPlan } from '../types/plan.ts';
import type { Agents } from './agent-functions.ts';
import type { AgentNotices } from './agent-notices.ts';
import type { LiveRun, LiveRunServices } from './live-run.ts';
import type { AgentServices } from './open-connections.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { isAgentPlan, isModelPlan, isOutsideSessionPlan, runsCommands } from '../types/subjects.ts';
import type { HasFilePlaces } from '../types/check-places.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import { hasJudgeModules } from '../types/judges/judge-modules.ts';
import { Missing } from '../source/missing.ts';
import { requireModules } from './required-modules.ts';
import type { SessionSpan } from './session-span.ts';
import type { ModelRunners, ModelServices } from './model-functions.ts';

/** What a run needs of the world outside: real models, a cassette of them, or nothing. Needs closing. */
export interface Outside {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** Each ends the run early. */
  readonly ends: readonly AbortSignal[];
  /** What a reader of the report must know of it, so far. */
  notices(): readonly Issue[];
  /** By contract, what is known of its agent so far. */
  agents(): AgentNotices['facts'];
  /** When sessions were under way, by the scenario's position in the plan. */
  readonly spans: ReadonlyMap<number, SessionSpan>;
  /** Null: no real model is part of the run. */
  counts(): LiveCounts | null;
  /** Calls of the same run that were paid for before: budgets include them. */
  charge(rows: readonly LiveRow[]): void;
  /** How many questions of tests of models are asked now, by the scenario's position in the plan. */
  readonly openQuestions: ReadonlyMap<number, number>;
  /** `complete`: the run was not ended early. */
  close(complete: boolean): Promise<void>;
}

export async function openOutside(
  plan: RunPlan,
  options: ResolvedRunOptions & HasProcessCode & HasFilePlaces,
  env: NodeJS.ProcessEnv,
): Promise<Outside> {
  const { cassette, processCode, filePlaces } = options;
  if (cassette?.mode === 'replay') {
    const { replayCassette } = await import('./cassette-run.ts');
    const player = await replayCassette(cassette.file, plan, options);
    return {
      ...player,
      ends: [],
      charge: () => undefined,
      notices: () => player.notices,
      agents: () => ({}),
      spans: new Map(),
      openQuestions: new Map(),
    };
  }
  const root = plan.granted?.root ?? options.cwd;
  const { permissions, concurrency, traceContext: traceRun } = options;
  const services = { permissions, concurrency, traceRun, env, root, processCode, filePlaces };
  const missing = new Missing();
  await missing.try(() => requireModules(plan, services));
  const opened: Agents[] = [];
  let runners: ModelRunners | null = null;
  try {
    for (const open of [
      () => agentsOf(plan, services),
      () => sessionsOf(plan, services),
      () => commandsOf(plan, services),
      () => judgesOf(plan, { permissions, env, cwd: options.cwd }),
    ]) {
      const agents = await missing.try(open);
      if (agents !== null) opened.push(agents);
    }
    runners = await missing.try(() => runnersOf(plan, { permissions, env, root, logs: options.logs }));
    await missing.try(() => requireModels(plan, options, env));
    missing.refuse();
    const models = withRunners(await openModels(plan, options, env), runners);
    return opened.reduce(withAgents, models);
  } catch (error) {
    await runners?.close();
    for (const agents of opened) await agents.close();
    throw error;
  }
}

/** Throws `USAGE` with what keeps real models from being asked, before anything is recorded. */
async function requireModels(
  plan: RunPlan,
  options: ResolvedRunOptions & HasFilePlaces,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (!asksModels(plan)) return;
  const { requireUsable } = await import('./live-run.ts');
  requireUsable(plan, options, { env, filePlaces: options.filePlaces });
}

function asksModels({ scenarios }: RunPlan): boolean {
  return scenarios.some(({ liveEndpoints }) => liveEndpoints !== undefined);
}

async function openModels(plan: RunPlan, options: ResolvedRunOptions, env: NodeJS.ProcessEnv): Promise<Outside> {
  const { cassette } = options;
  if (cassette === null) return ofLive(await liveRunOf(plan, options, { env }));
  if (options.journal?.resume === true) {
    throw new PasskError('USAGE', 'A resumed run cannot be recorded: its first trials are not asked again.', {
      hint: 'Leave --record or --resume away.',
    });
  }
  const { recordCassette } = await import('./cassette-run.ts');
  const recorder = await recordCassette(cassette.file, plan, options);
  let live: LiveRun | null;
  try {
    live = await liveRunOf(plan, options, { env, onBill: recorder.onBill });
  } catch (error) {
    await recorder.discard();
    throw error;
  }
  const outside = ofLive(live);
  const ask = outside.functions[LIVE_CALL];
  return {
    ...outside,
    functions: { ...recorder.functions, ...(ask !== undefined && { [LIVE_CALL]: recorder.around(ask) }) },
    ends: [...outside.ends, recorder.failed],
    close: async (complete) => {
      await outside.close(complete);
      await recorder.close(complete);
    },
  };
}

async function liveRunOf(
  plan: RunPlan,
  options: ResolvedRunOptions,
  services: LiveRunServices,
): Promise<LiveRun | null> {
  if (!asksModels(plan)) return null;
  // Only runs that ask real models load what they are asked with.
  const { openLiveRun } = await import('./live-run.ts');
  return openLiveRun(plan, options, services);
}

async function agentsOf(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  if (!plan.scenarios.some(isAgentPlan)) return null;
  // Only runs that ask agents load what they are asked with.
  const { openAgents } = await import('./agent-functions.ts');
  return openAgents(plan, services);
}

async function sessionsOf(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  if (!plan.scenarios.some(isOutsideSessionPlan)) return null;
  const { openSessionAgents } = await import('./session-agents.ts');
  return openSessionAgents(plan, services);
}

async function commandsOf(plan: RunPlan, services: AgentServices): Promise<Agents | null> {
  if (!plan.scenarios.some(runsCommands)) return null;
  // Only runs that start programs load what they are started with.
  const { openSessionCommands } = await import('./session-commands.ts');
  return openSessionCommands(plan, services);
}

async function judgesOf(
  plan: RunPlan,
  services: Pick<AgentServices, 'permissions' | 'env'> & { readonly cwd: string },
): Promise<Agents | null> {
  if (!hasJudgeModules(plan)) return null;
  // Only runs with modules that judge load what they are asked with.
  const { openJudgeModules } = await import('./judge-modules.ts');
  return openJudgeModules(plan, services);
}

async function runnersOf(plan: RunPlan, services: ModelServices): Promise<ModelRunners | null> {
  if (!plan.scenarios.some(isModelPlan)) return null;
  // Only runs that test models load what they are asked with.
  const { openModelRunners } = await import('./model-functions.ts');
  return openModelRunners(plan, services);
}

function withRunners(outside: Outside, runners: ModelRunners | null): Outside {
  if (runners === null) return outside;
  const ask = outside.functions[LIVE_CALL];
  return {
    ...outside,
    functions: {
      ...outside.functions,
      ...runners.functions,
      ...(ask !== undefined && { [LIVE_CALL]: runners.inTurn(ask) }),
    },
    notices: () => [...outside.notices(), ...runners.notices()],
    openQuestions: runners.openQuestions,
    close: async (complete) => {
      await runners.close();
      await outside.close(complete);
    },
  };
}

function withAgents(outside: Outside, agents: Agents | null): Outside {
  if (agents === null) return outside;
  return {
    ...outside,
    functions: { ...outside.functions, ...agents.functions },
    notices: () => [...outside.notices(), ...agents.notices().issues],
    agents: () => ({ ...outside.agents(), ...agents.notices().facts }),
    spans: new Map([...outside.spans, ...(agents.spans ?? [])]),
    close: async (complete) => {
      await agents.close();
      await outside.close(complete);
    },
  };
}

function ofLive(live: LiveRun | null): Outside {
  return {
    functions: live?.functions ?? {},
    ends: live === null ? [] : [live.spent],
    notices: () => live?.notices() ?? [],
    agents: () => ({}),
    spans: new Map(),
    counts: () => live?.counts() ?? null,
    charge: (rows) => live?.charge(rows),
    openQuestions: new Map(),
    close: async () => live?.close(),
  };
}
