import { agentKey } from '../../host/agent-key.ts';
import type { Agent } from '../../types/agent.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { BLOCK_SIZE, MAX_CONCURRENCY, type SessionPlan, type Traits } from '../../types/plan.ts';
import type { Scenario } from '../../types/scenario.ts';
import { usesProcessCode, worldModuleOf } from '../../types/subjects.ts';
import { isJudgedByCode, judgingModules } from '../../types/scenarios/judging-code.ts';
import type { OutsideAgent, SessionSubject } from '../../types/session.ts';
import { type CommandCheck, COMMANDS_AT_ONCE } from '../../types/sessions/session-check.ts';
import { orderGroupOf } from '../order-group.ts';
import { type PlanContext, planDraws } from '../plan/plan-context.ts';
import { cassetteOf, planModels } from './plan-session-models.ts';

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
  const { agent } = scenario.subject;
  const models = planModels(scenario, options);
  const timeoutMs = options.timeoutMs ?? scenario.timeoutMs;
  const codedWorld = worldModuleOf(scenario.subject) !== null;
  const isHere = usesProcessCode(scenario);
  const hasModules = agent.kind === 'module' || codedWorld || judgingModules(scenario.expected).length > 0;
  const userCode = hasModules || isJudgedByCode(scenario.expected);
  const { commands = [] } = scenario.expected;
  const waits = agent.kind !== 'canned' || models !== null || commands.length > 0 || isHere;
  const isHosted = isHere || (!userCode && commands.length === 0);
  return {
    index,
    scenario: { ...scenario, timeoutMs },
    ...planDraws(scenario, options),
    sampler: 'seeded',
    traits:
      agent.kind === 'outside'
        ? {
            ...outsideTraits(scenario, agent, index, context),
            // Code of the user runs in no host.
            ...(codedWorld && { place: 'worker' }),
          }
        : {
            sync: !waits,
            repeatable: !waits,
            // Where nobody but models is waited for, the host does it, and what this program has stands there alone.
            place: !isHosted ? 'worker' : waits ? 'host' : 'here',
            orderGroup: null,
            longestMs: longestMs(timeoutMs, { waits, isHosted }) + longestOf(commands, options),
          },
    userCode,
    // Arguments of tools are checked.
    schemas: true,
    liveModels: [],
    liveNodes: [],
    ...models,
    ...cassetteOf(scenario, models, options),
    // A module is a program: the user grants it, and reports say that one took part.
    ...(hasModules && { effects: ['process'] }),
    // Files of an agent are named from there.
    ...((hasModules || agent.kind === 'outside') && { folder: context.root }),
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

/** Sessions of an agent that the host asks: as many at a time as it takes, or one after the other in plan order. */
function outsideTraits(
  scenario: Scenario<SessionSubject>,
  { agent }: OutsideAgent,
  index: number,
  context: PlanContext,
): Traits {
  const { file } = scenario;
  return {
    sync: false,
    repeatable: false,
    place: 'host',
    orderGroup: orderGroupOf({ file, agent }, index, context),
    ...waitsFor(scenario, agent, index, context),
    longestMs: LONGEST_MS,
  };
}

/** A rung of more at a time begins when the one before it has ended, so that nobody else asks meanwhile. */
function waitsFor(
  { file, ladder }: Scenario<SessionSubject>,
  agent: Agent,
  index: number,
  { lastRungs }: PlanContext,
): Pick<Traits, 'waitsFor'> {
  const { atOnce } = agent;
  if (atOnce === null) return {};
  if (ladder?.kind === 'concurrency') {
    const name = JSON.stringify([file, index]);
    const after = lastRungs.get(file);
    lastRungs.set(file, name);
    return { waitsFor: { name, atOnce, ...(after !== undefined && { after }) } };
  }
  return atOnce < MAX_CONCURRENCY ? { waitsFor: { name: agentKey(file, agent), atOnce } } : {};
}
