import type { AnswerUsage } from '../types/agent.ts';
import type { SeedWords } from '../types/plan.ts';
import type { CannedAgent } from '../types/session.ts';
import { type CannedTurns, compileCannedTurns } from './canned-turns.ts';
import type { AgentInSession, AgentMove, AnswerSource, Tools } from './agent-moves.ts';

/** Compiles an agent whose model has canned answers. Which variant is given is drawn from seed, trial and turn. */
export function compileCannedAgent({ turns }: CannedAgent, words: SeedWords): (trial: number) => AgentInSession {
  const turnsOf = compileCannedTurns(turns, words);
  return (trial) => new CannedAgentInSession(turnsOf(trial));
}

class CannedAgentInSession implements AgentInSession {
  private readonly turns: CannedTurns;

  constructor(turns: CannedTurns) {
    this.turns = turns;
  }

  answer(message: string, tools: Tools): AgentMove {
    const source = new CannedSource();
    for (;;) {
      const variant = this.turns.next();
      if (variant === null) return { kind: 'stops', reason: this.turns.usedUp, ...source.facts };
      const { calls, says, echoes, usage } = variant;
      source.takes(usage);
      if (!tools.affords(source)) return { kind: 'stops', reason: 'No more tokens are allowed.', ...source.facts };
      if (calls.length > 0 && tools.call(calls) === null)
        return { kind: 'stops', reason: 'No more calls are allowed.', ...source.facts };
      if (echoes === true) return { kind: 'says', text: message, ...source.facts };
      if (says !== null) return { kind: 'says', text: says, ...source.facts };
    }
  }
}

/** What the turns behind one answer are said to take. */
class CannedSource implements AnswerUsage {
  promptTokens = 0;
  completionTokens = 0;
  private turns = 0;
  private telling = 0;

  takes(usage: AnswerUsage | undefined): void {
    this.turns++;
    if (usage === undefined) return;
    this.telling++;
    this.promptTokens += usage.promptTokens;
    this.completionTokens += usage.completionTokens;
  }

  /** {}: some turn does not say. */
  get facts(): AnswerSource {
    const { promptTokens, completionTokens, turns, telling } = this;
    if (telling === 0 || telling < turns) return {};
    return { usage: { promptTokens, completionTokens }, modelCalls: turns };
  }
}
