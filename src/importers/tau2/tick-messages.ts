import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { MessagePart } from '../../types/message.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { chatMessages } from '../chat-messages.ts';

type Speaker = 'assistant' | 'user';

/** What one speaker says without a pause. */
interface Utterance {
  readonly speaker: Speaker;
  readonly words: string[];
  /** Ids that the last words carry. */
  ids: ReadonlySet<unknown>;
}

/**
 * A conversation in ticks, in each of which agent and user may both speak. An utterance is what one of them says without a
 * pause; it stands where it begins.
 */
export function tickMessages(ticks: readonly unknown[], agent: string | null): readonly ImportedMessage[] {
  const sequence: (Utterance | ImportedMessage)[] = [];
  const open = new Map<Speaker, Utterance>();
  for (const tick of ticks) {
    for (const speaker of ['assistant', 'user'] as const) {
      const name = speaker === 'assistant' ? 'agent' : 'user';
      const calls = listAt(tick, `${name}_tool_calls`);
      const results = listAt(tick, `${name}_tool_results`);
      addWords(fieldAt(tick, `${name}_chunk`), speaker, { sequence, open });
      if (calls.length + results.length === 0) continue;
      open.delete(speaker);
      const callMessages = calls.length === 0 ? [] : [{ role: speaker, tool_calls: calls }];
      sequence.push(...chatMessages([...callMessages, ...results]));
    }
  }
  return sequence.map((one) => ('role' in one ? withModel(one, agent) : withModel(messageOf(one), agent)));
}

interface Conversation {
  readonly sequence: (Utterance | ImportedMessage)[];
  readonly open: Map<Speaker, Utterance>;
}

function addWords(chunk: unknown, speaker: Speaker, { sequence, open }: Conversation): void {
  const words = textAt(chunk, 'content') ?? '';
  if (words === '') {
    if (fieldAt(chunk, 'contains_speech') !== true) open.delete(speaker);
    return;
  }
  const ids = new Set(listAt(chunk, 'utterance_ids'));
  const last = open.get(speaker);
  const utterance = last ?? { speaker, words: [], ids };
  if (last === undefined) {
    open.set(speaker, utterance);
    sequence.push(utterance);
  }
  const goesOn = utterance.ids.size === 0 || ids.size === 0 || [...ids].some((id) => utterance.ids.has(id));
  utterance.words.push(goesOn ? words : ` ${words}`);
  utterance.ids = ids;
}

function messageOf({ speaker, words }: Utterance): ImportedMessage {
  const parts: readonly MessagePart[] = [{ kind: 'text', text: words.join('').trim() }];
  return { role: speaker, parts };
}

function withModel(message: ImportedMessage, agent: string | null): ImportedMessage {
  return message.role === 'assistant' && agent !== null ? { ...message, model: agent } : message;
}
