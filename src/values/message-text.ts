import type { Message, MessagePart, Role, TokenUsage } from '../types/message.ts';

/** All text of the parts, without what a model only thought. */
export function textOf(parts: readonly MessagePart[]): string {
  const [first] = parts;
  if (parts.length === 1 && first?.kind === 'text') return first.text;
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** A message of one text. */
export function textMessage(role: Role, text: string): Message {
  return { role, parts: textParts(text) };
}

/** The parts of a plain text; '' is nothing said. */
export function textParts(text: string): readonly MessagePart[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** The same parts with another text, where the first text stood; else behind them. */
export function withText(parts: readonly MessagePart[], text: string): readonly MessagePart[] {
  const at = parts.findIndex(({ kind }) => kind === 'text');
  const others = parts.filter(({ kind }) => kind !== 'text');
  return at === -1 ? [...others, ...textParts(text)] : others.toSpliced(at, 0, ...textParts(text));
}

/** Usage of which only the two sums are told. */
export function plainUsage(promptTokens: number, completionTokens: number): TokenUsage {
  return { promptTokens, completionTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
}
