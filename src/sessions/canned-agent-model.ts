import type { MessagePart } from '../types/message.ts';
import type { SeedWords } from '../types/plan.ts';
import type { AgentTurn } from '../types/session.ts';
import { compileCannedTurns } from './canned-turns.ts';

/** What the model of one session answers next; a text: why there is nothing. */
export type NextAnswer = () => readonly MessagePart[] | string;

/**
 * The model of an agent outside, whose answers are those that a canned agent gives: `calls` are one answer, which asks for
 * them, and `says` is the next one.
 */
export function compileCannedModel(turns: readonly AgentTurn[], words: SeedWords): (trial: number) => NextAnswer {
  const turnsOf = compileCannedTurns(turns, words);
  return (trial) => {
    const canned = turnsOf(trial);
    let says: string | null = null;
    let calls = 0;
    return () => {
      if (says !== null) {
        const text = says;
        says = null;
        return [{ kind: 'text', text }];
      }
      const variant = canned.next();
      if (variant === null) return canned.usedUp;
      if (variant.calls.length === 0) return [{ kind: 'text', text: variant.says ?? '' }];
      says = variant.says;
      return variant.calls.map(({ name, args }) => ({ kind: 'tool_call', id: `call_${++calls}`, name, args }));
    };
  };
}
