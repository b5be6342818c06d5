import type { AgentInSession } from '../../sessions/agent-moves.ts';
import { Dialogue, type DialogueParts, type EndedDialogue } from '../../sessions/dialogue.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import { type Ending, withinTime } from '../record/within-time.ts';
import type { SessionTape } from './session-tape.ts';
import type { UserMaker } from './session-users.ts';

/** Makes an agent for one session, which is told to end when the session's time is up. */
export type AgentMaker = (trial: number, ending: Ending) => AgentInSession;

/** A session that begins. */
export interface Beginning {
  readonly trial: number;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Its signal is aborted when the session is over, whatever it came to. */
  readonly over: Ending;
}

/** Gets what makes the agent of a session. */
export type SessionAgents = (beginning: Beginning) => AgentMaker | Promise<AgentMaker>;

export interface SessionRunnerParts {
  readonly plan: SessionPlan;
  /** What a session has besides its agent and its user. */
  readonly partsOf: (trial: number) => Omit<DialogueParts, 'agent' | 'user'>;
  readonly userOf: UserMaker;
  /** What takes down what it waits for, or gives it. */
  readonly tape: SessionTape;
  /** The record of a session that has ended. */
  readonly record: (trial: number, ended: EndedDialogue) => TrialRecord;
  /** Asked before each session; what it takes is no part of the session's time. Rejects where the agent cannot be had. */
  readonly agents: SessionAgents;
  readonly startClock: () => RealTime;
}

/** Holds sessions of an agent that has to be waited for. One that takes too long is told to end, and is not waited for. */
export class SessionRunner implements SubjectRunner {
  private readonly parts: SessionRunnerParts;

  constructor(parts: SessionRunnerParts) {
    this.parts = parts;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const over = new AbortController();
    try {
      return await this.taped(trial, signal, await this.parts.agents({ trial, signal, over }));
    } finally {
      over.abort();
    }
  }

  private async taped(trial: number, signal: AbortSignal, agentOf: AgentMaker): Promise<TrialRecord> {
    const { tape, record, startClock } = this.parts;
    const clock = await tape.begin(trial, startClock);
    try {
      const ended = await this.held(trial, signal, { agentOf, startClock: clock }).finally(async () => {
        // Why a trial broke is kept, too.
        if (!signal.aborted) await tape.end();
      });
      return record(trial, ended);
    } finally {
      tape.drop();
    }
  }

  private async held(
    trial: number,
    signal: AbortSignal,
    { agentOf, startClock }: { readonly agentOf: AgentMaker; readonly startClock: () => RealTime },
  ): Promise<EndedDialogue> {
    const { plan, partsOf, userOf } = this.parts;
    const { timeoutMs } = plan.scenario;
    let agent: AgentInSession | null = null;
    try {
      return await withinTime<EndedDialogue>({ signal, timeoutMs, startClock }, (ending) => {
        agent = agentOf(trial, ending);
        const dialogue = new Dialogue({ ...partsOf(trial), user: userOf(trial, ending), agent });
        return {
          ended: dialogue.holdAsync(),
          // What was said until then stands; whatever the agent calls from now on is refused.
          late: () => dialogue.endLate(`The session had not ended within ${timeoutMs} ms.`),
        };
      });
    } finally {
      leave(agent);
    }
  }
}

/** The compiler does not see that it was made meanwhile. */
function leave(agent: AgentInSession | null): void {
  agent?.leave?.();
}
