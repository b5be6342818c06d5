import { loadSessionAgent } from '../../plugin/load-session-agent.ts';
import type { SessionAgent } from '../../plugin/session-agent.ts';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import { Dialogue, type DialogueParts, type EndedDialogue } from '../../sessions/dialogue.ts';
import { ModuleAgentInSession } from '../../sessions/module-agent.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { ModuleAgent } from '../../types/session.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import { withinTime } from '../record/within-time.ts';
import { recordSession } from './record-session.ts';

export interface SessionRunnerParts {
  readonly plan: SessionPlan;
  readonly agent: ModuleAgent;
  /** What a session has besides its agent. */
  readonly partsOf: (trial: number) => Omit<DialogueParts, 'agent'>;
  /** Throws where the module is not granted. */
  readonly urlOf: (file: string) => string;
  readonly startClock: () => RealTime;
}

/** Holds sessions of an agent that is a module. One that takes too long is told to end, and is not waited for. */
export class SessionRunner implements SubjectRunner {
  private readonly parts: SessionRunnerParts;
  private loaded: Promise<SessionAgent> | null = null;

  constructor(parts: SessionRunnerParts) {
    this.parts = parts;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const { plan, agent, partsOf, startClock, urlOf } = this.parts;
    const { file, exported, system } = agent;
    this.loaded ??= loadSessionAgent({ url: urlOf(file), file, exported });
    const create = await this.loaded;
    const { subject, timeoutMs } = plan.scenario;
    const ended = await withinTime<EndedDialogue>({ signal, timeoutMs, startClock }, (either) => {
      const inSession = new ModuleAgentInSession({
        create,
        system,
        signal: either,
        draw: (key) => draw(plan.words, trial, STREAM.plugin, hashText(key)) / 0x100000000,
        tools: subject.world.tools,
      });
      const dialogue = new Dialogue({ ...partsOf(trial), agent: inSession });
      return {
        ended: dialogue.holdAsync(),
        // What was said until then stands; whatever the agent calls from now on is refused.
        late: () => dialogue.end('timeout', `The session had not ended within ${timeoutMs} ms.`),
      };
    });
    return recordSession(trial, ended, subject);
  }
}
