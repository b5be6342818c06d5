import { type AgentInSession, Dialogue, type DialogueParts, type EndedDialogue } from '../../sessions/dialogue.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import { type Ending, withinTime } from '../record/within-time.ts';
import { recordSession } from './record-session.ts';

/** Makes an agent for one session, which is told to end when the session's time is up. */
export type AgentMaker = (trial: number, ending: Ending) => AgentInSession;

export interface SessionRunnerParts {
  readonly plan: SessionPlan;
  /** What a session has besides its agent. */
  readonly partsOf: (trial: number) => Omit<DialogueParts, 'agent'>;
  /** Asked before each session; what it takes is no part of the session's time. Rejects where the agent cannot be had. */
  readonly agents: () => AgentMaker | Promise<AgentMaker>;
  readonly startClock: () => RealTime;
}

/** Holds sessions of an agent that has to be waited for. One that takes too long is told to end, and is not waited for. */
export class SessionRunner implements SubjectRunner {
  private readonly parts: SessionRunnerParts;

  constructor(parts: SessionRunnerParts) {
    this.parts = parts;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const { plan, agents, partsOf, startClock } = this.parts;
    const agentOf = await agents();
    const { subject, timeoutMs } = plan.scenario;
    let agent: AgentInSession | null = null;
    try {
      const ended = await withinTime<EndedDialogue>({ signal, timeoutMs, startClock }, (ending) => {
        agent = agentOf(trial, ending);
        const dialogue = new Dialogue({ ...partsOf(trial), agent });
        return {
          ended: dialogue.holdAsync(),
          // What was said until then stands; whatever the agent calls from now on is refused.
          late: () => dialogue.end('timeout', `The session had not ended within ${timeoutMs} ms.`),
        };
      });
      return recordSession(trial, ended, subject);
    } finally {
      leave(agent);
    }
  }
}

/** The compiler does not see that it was made meanwhile. */
function leave(agent: AgentInSession | null): void {
  agent?.leave?.();
}
