import type { SeenCalls, SeenTokens } from '../agents/target.ts';
import { unusable } from '../agents/unusable.ts';
import type { AgentAnswer, AgentTarget } from '../types/agent.ts';
import { replayMiss } from '../values/replay-miss.ts';

/** What is known of the calls of one agent. */
export type Sighted = SeenTokens & Pick<AgentAnswer, 'calls' | 'struck'>;

const OUT_OF_SIGHT: Sighted = { tokens: null, promptTokens: null, completionTokens: null, calls: null, struck: 0 };
const NO_TOKENS: SeenTokens = { tokens: 0, promptTokens: 0, completionTokens: 0 };

/** More calls for one answer are not told. */
const MOST_CALLS = 1000;

/**
 * Whether the calls of an agent come through its proxy. Where none has come yet in a run, nobody can tell an agent that
 * makes no call from one that was never pointed at the proxy, unless passk starts it with its own Node.
 */
export class AgentSight {
  private seesCalls: boolean;
  private seesModels = false;

  constructor(kind: AgentTarget['kind']) {
    this.seesCalls = kind === 'module';
  }

  /** What is known of the calls for one answer; null: there is no proxy. Throws where a call was refused for want of a grant, or of a recorded answer. */
  see(seen: SeenCalls | null): Sighted {
    if (seen === null) return OUT_OF_SIGHT;
    const { refused, missed, calls, struck, ...tokens } = seen;
    if (refused.length > 0) throw unusable(`The agent called what is not granted. ${refused.join(' ')}`);
    if (missed.length > 0) throw unusable(replayMiss(missed.join(' ')));
    this.seesCalls ||= calls.length > 0;
    this.seesModels ||= calls.some(({ port }) => port === 'model');
    const asksModels = calls.some(({ port }) => port === 'model');
    return {
      ...(asksModels || !this.seesModels ? tokens : NO_TOKENS),
      calls: this.seesCalls && calls.length <= MOST_CALLS ? calls : null,
      struck,
    };
  }
}
