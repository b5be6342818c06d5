import type { AnswerUsage } from '../types/agent.ts';
import type { MessagePart } from '../types/message.ts';
import type { SeedWords } from '../types/plan.ts';
import type { AgentTurn } from '../types/session.ts';
import { compileCannedTurns } from './canned-turns.ts';

const NO_TOKENS: AnswerUsage = { promptTokens: 0, completionTokens: 0 };

/** An answer of the model of a session. */
export interface CannedAnswer {
  readonly parts: readonly MessagePart[];
  /** Null: nobody says. */
  readonly usage: AnswerUsage | null;
}

/** What the model of one session answers next; a text: why there is nothing. */
export type NextAnswer = () => CannedAnswer | string;

/**
 * The model of an agent outside, whose answers are those that a canned agent gives: `calls` are one answer, which asks for
 * them, and `says` is the next one, which takes no tokens of its own.
 */
export function compileCannedModel(turns: readonly AgentTurn[], words: SeedWords): (trial: number) => NextAnswer {
  const turnsOf = compileCannedTurns(turns, words);
  return (trial) => {
    const canned = turnsOf(trial);
    let says: string | null = null;
    let saying: AnswerUsage | null = null;
    let calls = 0;
    return () => {
      if (says !== null) {
        const text = says;
        says = null;
        return { parts: [{ kind: 'text', text }], usage: saying };
      }
      const variant = canned.next();
      if (variant === null) return canned.usedUp;
      const { usage = null } = variant;
      if (variant.calls.length === 0) return { parts: [{ kind: 'text', text: variant.says ?? '' }], usage };
      says = variant.says;
      saying = usage && NO_TOKENS;
      const parts = variant.calls.map(({ name, args }): MessagePart => {
        return { kind: 'tool_call', id: `call_${++calls}`, name, args };
      });
      return { parts, usage };
    };
  };
}
