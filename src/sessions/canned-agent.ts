import type { SeedWords } from '../types/plan.ts';
import type { CannedAgent } from '../types/session.ts';
import { type CannedTurns, compileCannedTurns } from './canned-turns.ts';
import type { AgentInSession, AgentMove, Tools } from './dialogue.ts';

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
    for (;;) {
      const variant = this.turns.next();
      if (variant === null) return { kind: 'stops', reason: this.turns.usedUp };
      const { calls, says, echoes } = variant;
      if (calls.length > 0 && tools.call(calls) === null)
        return { kind: 'stops', reason: 'No more calls are allowed.' };
      if (echoes === true) return { kind: 'says', text: message };
      if (says !== null) return { kind: 'says', text: says };
    }
  }
}
