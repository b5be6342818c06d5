import { grantedEnv } from '../effects/granted/granted-env.ts';
import { PasskError } from '../errors.ts';
import type { LiveCallPayload } from '../plugin/live-node.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { DIRECT, MODEL_CALL, type ModelAccess, type ModelCallPayload } from '../types/model-suite.ts';
import type { Permissions } from '../types/permissions.ts';
import type { ModelPlan, RunPlan } from '../types/plan.ts';
import { isModelPlan } from '../types/subjects.ts';
import { Missing } from '../source/missing.ts';
import { ModelQueue } from './model-queue.ts';
import { Permits } from './permits.ts';
import { QuestionTurns } from './question-turns.ts';
import { LONGEST_ANSWER } from './runner-answer.ts';
import { LogFolder } from './runner-log.ts';
import { runnerNamed, runnerStart, runnerTypes, startProblems } from './runner-start.ts';

/** Those who ask the models of one run. Needs closing. */
export interface ModelRunners {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** How many questions are asked now, by the scenario's position in the plan. */
  readonly openQuestions: ReadonlyMap<number, number>;
  /** The function that asks real models, each question of a test when it is its turn. */
  inTurn(ask: HostFunction): HostFunction;
  /** What a reader of the report must know of runners, once they are closed. */
  notices(): readonly Issue[];
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
 * Opens the runners that a plan asks, and says whose turn it is. Throws `USAGE` with everything that is missing of grants.
 */
export async function openModelRunners(plan: RunPlan, services: ModelServices): Promise<ModelRunners> {
  const tested = plan.scenarios.filter(isModelPlan);
  const notices: Issue[] = [];
  const types = await runnerTypes(plan.plugins);
  const granted = grantedEnv(services.env, services.permissions.env);
  const folder = new LogFolder(services.logs);
  const stop = new AbortController();
  const queues = new Map<string, ModelQueue>();
  const missing = new Missing();
  const mostOpen = tested.reduce((least, { scenario }) => Math.min(least, scenario.subject.access.plugins), Infinity);
  const openQuestions = new Map<number, number>();
  const plugins = new Permits(mostOpen);
  const turnsByAccess = new Map<string, QuestionTurns>();
  const open = new Set<ModelQueue>();
  const close = async (): Promise<void> => {
    stop.abort(new Error('the run is over'));
    await Promise.all([...queues.values()].map((queue) => queue.close()));
  };
  for (const [key, access] of accessesOf(tested)) {
    const turns = new QuestionTurns({ atOnce: access.atOnce, plugins, openQuestions });
    turnsByAccess.set(key, turns);
    if (access.runner === DIRECT) continue;
    const type = runnerNamed(access.runner, types);
    const log = folder.open(access.plugin, access.runtime, granted.scrub);
    const start = runnerStart(access, { ...services, granted, signal: stop.signal, log: (line) => log.add(line) });
    for (const message of await startProblems(type, start, access)) missing.add({ message });
    queues.set(
      key,
      new ModelQueue(type, { start, log, turns, open, mostOpen, onNotice: (notice) => notices.push(notice) }),
    );
  }
  if (missing.isAny) await close();
  missing.refuse();
  const planned = (scenario: number): ModelPlan | null => {
    const of = plan.scenarios[scenario];
    return of !== undefined && isModelPlan(of) ? of : null;
  };
  const call = async (payload: Json, signal: AbortSignal): Promise<Json> => {
    // Made by the ports of a trial, so the shape is known.
    const { scenario, trial, alone } = payload as unknown as ModelCallPayload;
    const of = planned(scenario);
    const queue = of === null ? undefined : queues.get(keyOf(of.scenario.subject.access));
    if (of === null || queue === undefined) throw new PasskError('INTERNAL', 'A call names no planned model.');
    // Plain data by its type.
    return (await queue.ask(of, { trial, alone }, signal)) as unknown as Json;
  };
  const inTurn = (ask: HostFunction): HostFunction => {
    const askInTurn: HostFunction = async (payload, signal) => {
      // As above; workflows ask real models, too.
      const { scenario, visit } = payload as unknown as LiveCallPayload;
      const of = planned(scenario);
      const turns = of === null ? undefined : turnsByAccess.get(keyOf(of.scenario.subject.access));
      if (turns === undefined) return ask(payload, signal);
      return turns.within(async () => {
        // What is asked a second time is asked alone.
        const leave = await turns.enter({ scenario, alone: visit > 1, signal });
        try {
          return await ask(payload, signal);
        } finally {
          leave();
        }
      });
    };
    return Object.assign(askInTurn, ask.longest !== undefined && { longest: ask.longest });
  };
  return {
    // Images and sounds are long, and validators look at the whole answer.
    functions: { [MODEL_CALL]: Object.assign(call, { longest: LONGEST_ANSWER }) },
    openQuestions,
    inTurn,
    notices: () => notices,
    close,
  };
}

function keyOf(access: ModelAccess): string {
  return JSON.stringify(access);
}

function accessesOf(tested: readonly ModelPlan[]): ReadonlyMap<string, ModelAccess> {
  return new Map(tested.map(({ scenario: { subject } }) => [keyOf(subject.access), subject.access]));
}
