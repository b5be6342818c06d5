import { compileGold } from '../../checks/compile-gold.ts';
import { type CheckTools, compileChecks } from '../../checks/compile-checks.ts';
import type { GrantedEffects } from '../../effects/granted/create-effects.ts';
import { compileChaos } from '../../faults/chaos/compile-chaos.ts';
import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import { PasskError } from '../../errors.ts';
import { loadSessionAgent } from '../../plugin/load-session-agent.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { SessionAgent } from '../../plugin/session-agent.ts';
import { compileAssertions } from '../../sessions/assertions.ts';
import { attacking } from '../../sessions/attack/attacked-world.ts';
import { gullibleAgent } from '../../sessions/attack/gullible-agent.ts';
import { compileCannedAgent } from '../../sessions/canned-agent.ts';
import { Dialogue, type DialogueParts, type EndedDialogue } from '../../sessions/dialogue.ts';
import { UnknownTokens } from '../../sessions/session-tools.ts';
import { compileWorld } from '../../sessions/world/declared-world.ts';
import type { World } from '../../sessions/world/open-world.ts';
import { compileGoals } from '../../sessions/watch-goals.ts';
import { WorldError } from '../../sessions/world/state-place.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import { describeProgram } from '../describe-program.ts';
import { newRecord } from '../../values/blank-record.ts';
import type { CompiledSubject, SubjectRunner } from '../record/record-program.ts';
import type { HasProcessCode } from '../../types/scenarios/process-code.ts';
import type { HostCall } from '../live-ports.ts';
import { codeOf } from '../../plugin/process-code.ts';
import { similarityOf } from '../similarity-of.ts';
import { modelAgents } from './model-agents.ts';
import { codedAgents } from './coded-agents.ts';
import { OutsideAgents } from './outside-agents.ts';
import { recordSession } from './record-session.ts';
import { withCommands } from './with-commands.ts';
import { type SessionAgents, SessionRunner } from './session-runner.ts';
import { policing } from './policed-world.ts';
import { SessionTape } from './session-tape.ts';
import { asksUserModel, userPriceIn, usersAtOnce, usersOf } from './session-users.ts';
import { struckWorld } from './struck-world.ts';
import { tapedAgents } from './taped-agents.ts';

export interface SessionTools extends CheckTools, HasProcessCode {
  readonly registry: Registry;
  readonly startClock: () => RealTime;
  /** Null or absent: no module is granted. */
  readonly moduleUrl?: GrantedEffects['moduleUrl'] | null;
  /** Null or absent: neither an agent outside nor a user's model can be asked. */
  readonly callHost?: HostCall | null;
  /** False: trials are judged elsewhere; absent: here. */
  readonly judges?: boolean;
  /** The world that the module of the plan is; absent: it is declared. */
  readonly world?: World;
}

/**
 * Sessions in a world; where agent and user have canned answers and no program looks at them, each is held at once.
 */
export function compileSession(plan: SessionPlan, tools: SessionTools): CompiledSubject {
  const compiled = compileDialogues(plan, tools);
  const { commands } = plan.scenario.expected;
  if (commands === undefined) return compiled;
  return withCommands(compiled, { plan, commands, callHost: tools.callHost ?? null });
}

function compileDialogues(
  plan: SessionPlan,
  {
    registry,
    compileSchema,
    checkSupport,
    startClock,
    moduleUrl = null,
    processCode,
    callHost = null,
    code,
    judges = true,
    world: coded,
  }: SessionTools,
): CompiledSubject {
  const { subject, expected, faults } = plan.scenario;
  const checks = judges
    ? compileChecks(expected, {
        nodeIds: [],
        compileSchema,
        checkSupport,
        answersInTurns: true,
        code,
        ...similarityOf(plan, registry),
      })
    : [];
  const world = coded ?? compileWorld(subject.world, compileSchema);
  const { limits, agent, policy, goals = [], assertions = [] } = subject;
  const watch = goals.length === 0 ? {} : { watch: compileGoals(goals, compileSchema) };
  const asserted = assertions.length === 0 ? {} : { assertions: compileAssertions(assertions, compileSchema) };
  const chaos = hasChaos(faults.chaos) ? compileChaos(faults.chaos, plan.words) : null;
  const policed = policy === undefined ? null : policing(policy, subject.world.tools);
  const attack = subject.crossed?.attack;
  const attacked = attack === undefined ? null : attacking(attack, compileSchema);
  const partsOf = (trial: number): Omit<DialogueParts, 'agent' | 'user'> => {
    const faulty = chaos === null ? world : struckWorld(world, chaos, trial);
    // Deny first: what policy denies, no fault strikes.
    const own = policed === null ? faulty : policed(faulty);
    return { world: attacked === null ? own : attacked(own), limits, ...watch, ...asserted };
  };
  const { gold, goldTerms } = subject;
  const wanted = gold && goldTerms !== undefined ? compileGold(goldTerms, compileSchema)(gold) : gold;
  const userPrice = userPriceIn(plan);
  const record = (trial: number, ended: EndedDialogue): TrialRecord =>
    recordSession(trial, ended, subject, { wanted, userPrice });
  const runnerOn = (agents: SessionAgents, isTaped = true): SubjectRunner => {
    const tape = new SessionTape(plan, callHost);
    const userOf = usersOf(plan, tape.models);
    const own = isTaped ? tapedAgents(agents, tape, plan.cassette) : agents;
    return new SessionRunner({ plan, partsOf, record, startClock, agents: own, tape, userOf });
  };
  const compiled = { info: describeProgram(plan, checks), checks, close: () => Promise.resolve() };
  if (agent.kind === 'module') {
    // Not before a trial needs it: who only looks at a plan loads nothing.
    const urlOf = (file: string): string => {
      if (moduleUrl === null) throw new PasskError('USAGE', `The module ${file} is not granted.`);
      return moduleUrl(file, plan.scenario.file);
    };
    const { file, exported, system } = agent;
    const agents = codedAgents(plan, system, () => loadSessionAgent({ url: urlOf(file), file, exported }));
    return { ...compiled, openRunner: () => runnerOn(agents) };
  }
  if (agent.kind === 'function') {
    // A function: loading looks at that. What it gives is looked at as it comes.
    const agents = codedAgents(plan, agent.system, () => ({
      create: codeOf(agent.code, processCode) as SessionAgent,
      url: null,
    }));
    return { ...compiled, openRunner: () => runnerOn(agents) };
  }
  if (agent.kind === 'model') {
    const agents = modelAgents(plan, agent, callHost);
    return { ...compiled, openRunner: () => runnerOn(agents) };
  }
  if (agent.kind === 'outside') {
    const outside = new OutsideAgents({ plan, agent, callHost });
    const agents: SessionAgents = (beginning) => outside.ready(beginning);
    return { ...compiled, openRunner: () => runnerOn(agents), close: () => outside.close() };
  }
  const soundOf = compileCannedAgent(agent, plan.words);
  const falls = attack !== undefined && agent.obeys?.includes(attack.channel) === true;
  const agentOf = falls ? (trial: number) => gullibleAgent(soundOf(trial), attack) : soundOf;
  if (asksUserModel(plan)) {
    return { ...compiled, openRunner: () => runnerOn(() => agentOf, false) };
  }
  const userOf = usersAtOnce(plan);
  const readNow = (trial: number): TrialRecord => {
    try {
      return record(trial, new Dialogue({ ...partsOf(trial), user: userOf(trial), agent: agentOf(trial) }).hold());
    } catch (error) {
      if (!(error instanceof WorldError || error instanceof UnknownTokens)) throw error;
      return newRecord({ trial, ending: { status: 'broken', reason: error.message } });
    }
  };
  const openRunner = (): SubjectRunner => ({ run: async (trial) => readNow(trial) });
  return { ...compiled, ...(plan.traits.sync && { readNow }), openRunner };
}
