import { loadSessionAgent } from '../../plugin/load-session-agent.ts';
import type { SessionAgent } from '../../plugin/session-agent.ts';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import { Dialogue, type DialogueParts, type EndedDialogue } from '../../sessions/dialogue.ts';
import { ModuleAgent } from '../../sessions/module-agent.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { ModuleAgent as AgentOfModule } from '../../types/session.ts';
import { withAnySignal } from '../../values/with-any-signal.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import { recordSession } from './record-session.ts';

export interface SessionRunnerParts {
  readonly plan: SessionPlan;
  readonly agent: AgentOfModule;
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
    const late = new AbortController();
    return withAnySignal([signal, late.signal], async (either) => {
      const inSession = new ModuleAgent({
        create,
        system,
        signal: either,
        draw: (key) => draw(plan.words, trial, STREAM.plugin, hashText(key)) / 0x100000000,
        tools: subject.world.tools,
      });
      const dialogue = new Dialogue({ ...partsOf(trial), agent: inSession });
      let settle = (): void => undefined;
      const overdue = new Promise<EndedDialogue>((resolve) => {
        settle = startClock().alarm(timeoutMs * 1000, () => {
          // What was said until then stands; whatever the agent calls from now on is refused.
          resolve(dialogue.end('timeout', `The session had not ended within ${timeoutMs} ms.`));
          late.abort(new Error(`no answer within ${timeoutMs} ms`));
        });
      });
      try {
        return recordSession(trial, await Promise.race([dialogue.holdAsync(), overdue]), subject);
      } finally {
        settle();
      }
    });
  }
}
