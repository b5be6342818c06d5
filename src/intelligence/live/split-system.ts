import type { ModelMessage } from '../../plugin/request.ts';

/** The system messages as one text, apart from the rest, for protocols that keep them apart. */
export function splitSystem(messages: readonly ModelMessage[]): {
  readonly system: string | null;
  readonly rest: readonly ModelMessage[];
} {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return {
    system: system.length === 0 ? null : system.join('\n\n'),
    rest: messages.filter(({ role }) => role !== 'system'),
  };
}
