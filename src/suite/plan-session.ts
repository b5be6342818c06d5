import { PasskError } from '../errors.ts';
import { agentKey } from '../host/agent-key.ts';
import { endpointOf } from '../host/live-backends.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { BLOCK_SIZE, MAX_CONCURRENCY, type SessionPlan, type Traits } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import type { OutsideAgent, SessionSubject } from '../types/session.ts';
import { type CommandCheck, COMMANDS_AT_ONCE } from '../types/sessions/session-check.ts';
import { orderGroupOf } from './order-group.ts';
import { type PlanContext, planDraws } from './plan-context.ts';

/** A session that waits ends by itself; its worker is overdue some time later. */
const SLACK_MS = 1000;
/** No limit in practice: sessions wait for each other, and each has its own time limit. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;

/** The plan of a scenario that holds sessions. Where answers of agent and user are canned, all is in it and nothing is waited for. */
export function planSession(
  scenario: Scenario<SessionSubject>,
  index: number,
  context: PlanContext,
  options: ResolvedRunOptions,
): SessionPlan {
  const { agent, worldModule } = scenario.subject;
  const models = planModels(scenario, options);
  const similarity = scenario.expected.invariants?.similarity !== undefined;
  const timeoutMs = options.timeoutMs ?? scenario.timeoutMs;
  const codedWorld = worldModule !== undefined;
  const hasModules = agent.kind === 'module' || codedWorld || scenario.expected.modules !== undefined;
  const userCode = similarity || hasModules;
  const { commands = [] } = scenario.expected;
  const waits = agent.kind !== 'canned' || models !== null || commands.length > 0;
  return {
    index,
    scenario: { ...scenario, timeoutMs },
    ...planDraws(scenario, options),
    sampler: 'seeded',
    traits:
      agent.kind === 'outside'
        ? {
            ...outsideTraits(scenario, agent, index, { context, options }),
            // Code of the user runs in no host.
            ...(codedWorld && { place: 'worker' }),
          }
        : {
            sync: !waits,
            repeatable: !waits,
            // Where nobody but models is waited for, the host does it.
            place: userCode || commands.length > 0 ? 'worker' : waits ? 'host' : 'here',
            orderGroup: null,
            longestMs:
              longestMs(timeoutMs, { waits, isHosted: !userCode && commands.length === 0 }) +
              longestOf(commands, options),
          },
    userCode,
    // Arguments of tools are checked.
    schemas: true,
    liveModels: [],
    liveNodes: [],
    ...models,
    // A module is a program: the user grants it, and reports say that one took part.
    ...(hasModules && { effects: ['process'], folder: context.root }),
    blockSize: waits ? 1 : BLOCK_SIZE,
  };
}

/** Programs that look at sessions wait for each other; those of a trial run one after the other. */
function longestOf(commands: readonly CommandCheck[], { concurrency }: ResolvedRunOptions): number {
  const rounds = Math.ceil(concurrency / COMMANDS_AT_ONCE);
  return commands.reduce((sum, { timeoutMs }) => sum + timeoutMs * rounds + SLACK_MS, 0);
}

function longestMs(
  timeoutMs: number,
  { waits, isHosted }: { readonly waits: boolean; readonly isHosted: boolean },
): number {
  if (!waits) return timeoutMs;
  return isHosted ? LONGEST_MS : timeoutMs + SLACK_MS;
}

type AskedModels = Pick<SessionPlan, 'liveEndpoints' | 'cassette'> & Partial<Pick<SessionPlan, 'liveModels'>>;

/** How the models of user and agent are asked; null: none is. */
function planModels(scenario: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const user = planUser(scenario, options);
  const agent = planModelAgent(scenario, options) ?? planServedModel(scenario, options);
  if (user === null || agent === null) return user ?? agent;
  return {
    ...user,
    ...agent,
    liveModels: [...new Set([...(user.liveModels ?? []), ...(agent.liveModels ?? [])])],
    ...((user.liveEndpoints ?? agent.liveEndpoints) !== undefined && {
      liveEndpoints: { ...user.liveEndpoints, ...agent.liveEndpoints },
    }),
  };
}

/**
 * How an agent that is a model is asked. Where its file says where it is, the grants of its address and its key are consent; a
 * model of the configuration costs what it costs. Throws `USAGE` where it may not or cannot be asked.
 */
function planModelAgent({ subject, file }: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const { agent } = subject;
  if (agent.kind !== 'model') return null;
  if (options.cassette !== null) throw neverRecorded(file);
  const { model, endpoint } = agent;
  if (endpoint !== null) {
    const found = endpointOf(model, [{ name: model, ...endpoint }], { ...options, endpoints: {} });
    if (typeof found === 'string') throw new PasskError('USAGE', `An agent of ${file} cannot be asked. ${found}`);
    return { liveEndpoints: { [model]: found } };
  }
  return planAsked(model, { who: `An agent of ${file} is`, hint: 'Agree to it with --live.', file }, options);
}

/** How the model is asked that an agent outside finds with passk; null: none is, or its answers are canned. */
function planServedModel({ subject, file }: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const { agent } = subject;
  if (agent.kind !== 'outside' || agent.model === undefined) return null;
  const { name, turns } = agent.model;
  if (!options.live && turns.length > 0) return null;
  const hint = 'Agree to it with --live, or give the model canned turns.';
  return planAsked(name, { who: `An agent of ${file} asks`, hint, file }, options);
}

/** A model of the configuration costs what it costs. Throws `USAGE` where it may not or cannot be asked. */
function planAsked(
  model: string,
  { who, hint, file }: { readonly who: string; readonly hint: string; readonly file: string },
  options: ResolvedRunOptions,
): AskedModels {
  if (Object.hasOwn(options.models, model)) return { liveModels: [model] };
  if (!options.live) throw new PasskError('USAGE', `${who} the model "${model}", which costs money.`, { hint });
  const found = endpointOf(model, [], options);
  if (typeof found === 'string') throw new PasskError('USAGE', `Nobody says where "${model}" of ${file} is. ${found}`);
  return { liveEndpoints: { [model]: found } };
}

function neverRecorded(file: string): PasskError {
  return new PasskError('USAGE', `${file} binds an agent to sessions, which no cassette records.`, {
    hint: 'Leave --record and --replay away.',
  });
}

/**
 * How the model of a user is asked: as a workflow's models are, so that a function needs no consent where no turns are
 * canned. Null: no model is asked. Throws `USAGE` where one must be, and may not or cannot.
 */
function planUser({ subject, file }: Scenario<SessionSubject>, options: ResolvedRunOptions): AskedModels | null {
  const { user } = subject;
  if (user.kind !== 'model' || (!options.live && user.turns.length > 0)) return null;
  const { model } = user;
  const recorded = options.cassette === null ? {} : { cassette: options.cassette.mode };
  const hint = 'Agree to it with --live, or give the user canned turns.';
  return { ...planAsked(model, { who: `The user of ${file} is played by`, hint, file }, options), ...recorded };
}

interface Planning {
  readonly context: PlanContext;
  readonly options: ResolvedRunOptions;
}

/** Sessions of an agent that the host asks: as many at a time as it takes, or one after the other in plan order. */
function outsideTraits(
  { file }: Scenario<SessionSubject>,
  { agent }: OutsideAgent,
  index: number,
  { context, options }: Planning,
): Traits {
  if (options.cassette !== null) throw neverRecorded(file);
  const { atOnce } = agent;
  return {
    sync: false,
    repeatable: false,
    place: 'host',
    orderGroup: orderGroupOf({ file, agent }, index, context),
    ...(atOnce !== null && atOnce < MAX_CONCURRENCY && { waitsFor: { name: agentKey(file, agent), atOnce } }),
    longestMs: LONGEST_MS,
  };
}
