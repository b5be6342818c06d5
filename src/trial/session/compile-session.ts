import { compileChecks } from '../../checks/compile-checks.ts';
import type { SchemaCompiler } from '../../engine/json-schema.ts';
import type { Registry } from '../../plugin/registry.ts';
import { compileCannedAgent } from '../../sessions/canned-agent.ts';
import { holdDialogue } from '../../sessions/dialogue.ts';
import { compileUser } from '../../sessions/user/scripted-user.ts';
import { userDraws } from '../../sessions/user/user-draws.ts';
import { compileWorld } from '../../sessions/world/declared-world.ts';
import { WorldError } from '../../sessions/world/state-place.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { TrialRecord } from '../../types/record.ts';
import { describeProgram } from '../describe-program.ts';
import { newRecord } from '../record/blank-record.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { similarityOf } from '../similarity-of.ts';
import { recordSession } from './record-session.ts';

export interface SessionTools {
  readonly registry: Registry;
  readonly compileSchema: SchemaCompiler;
}

/** Sessions of an agent with canned answers and a scripted user, in a declared world: each is held at once. */
export function compileSession(plan: SessionPlan, { registry, compileSchema }: SessionTools): CompiledSubject {
  const { subject, expected } = plan.scenario;
  const checks = compileChecks(expected, {
    nodeIds: [],
    compileSchema,
    answersInTurns: true,
    ...similarityOf(plan, registry),
  });
  const world = compileWorld(subject.world, compileSchema);
  const agentOf = compileCannedAgent(subject.agent, plan.words);
  const userOf = compileUser(subject.user);
  const { limits } = subject;
  const readNow = (trial: number): TrialRecord => {
    try {
      const user = userOf(userDraws(plan.words, trial));
      return recordSession(trial, holdDialogue({ world, user, agent: agentOf(trial), limits }), subject);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      return newRecord({ trial, ending: { status: 'broken', reason: error.message } });
    }
  };
  return {
    info: describeProgram(plan, checks),
    checks,
    readNow,
    openRunner: () => ({ run: async (trial) => readNow(trial) }),
    close: () => Promise.resolve(),
  };
}
