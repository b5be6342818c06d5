import type { Scenario, Turn, WorkflowScenario } from '../scenario.ts';
import type { AgentTurn, SessionSubject } from '../session.ts';
import type { ScriptedUser, UserTurn } from '../sessions/session-user.ts';

/** True: trials of a workflow may differ, since variants of turns, pauses before a retry or what goes wrong are drawn. */
export function workflowDraws({ subject: { turns, workflow, children }, faults }: WorkflowScenario): boolean {
  if (faults.chaos !== undefined || turns.some(hasVariants)) return true;
  return [workflow, ...Object.values(children)].some(({ nodes }) =>
    nodes.some(({ retry }) => (retry?.jitter ?? 0) > 0),
  );
}

/** True: sessions may differ, since variants of turns, what the user says or what becomes of it are drawn. */
export function sessionDraws({ subject: { agent, user, mutation }, faults }: Scenario<SessionSubject>): boolean {
  if (agent.kind !== 'canned' || mutation !== undefined || faults.chaos !== undefined) return true;
  return agent.turns.some(hasVariants) || (user.kind === 'model' ? user.turns.some(hasVariants) : userDraws(user));
}

function userDraws({ verbosity, typos, changes }: ScriptedUser): boolean {
  return verbosity === 'chatty' || typos > 0 || changes.some(({ chance }) => chance > 0 && chance < 1);
}

function hasVariants({ variants }: Turn | AgentTurn | UserTurn): boolean {
  return variants.length > 1;
}
