import type { Message } from '../../../types/message.ts';
import { textOf } from '../../../values/message-text.ts';

/** The system messages as one text, apart from the rest, for protocols that keep them apart. */
export function splitSystem(messages: readonly Message[]): {
  readonly system: string | null;
  readonly rest: readonly Message[];
} {
  const system = messages.filter(({ role }) => role === 'system').map(({ parts }) => textOf(parts));
  return {
    system: system.length === 0 ? null : system.join('\n\n'),
    rest: messages.filter(({ role }) => role !== 'system'),
  };
}
