import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import type { MessagePart } from '../../types/message.ts';
import { jsonText } from '../../values/json-text.ts';
import { textOf } from '../../values/message-text.ts';

/**
 * What was said over several calls of models, each of which repeats what was said before it: of every call what is new, then
 * its answer. A call that begins anew, such as that of another agent, is told from its beginning.
 */
export class Conversation {
  readonly messages: ImportedMessage[] = [];
  /** Where messages of the same words stand, in order. */
  private readonly placesByKey = new Map<string, number[]>();
  /** Names of tools by the ids of their calls. */
  private readonly nameById = new Map<string, string>();

  /** A call: what the model was asked with, history included, and what it answered. */
  add(asked: readonly ImportedMessage[], answered: readonly ImportedMessage[]): void {
    // History stands in order, but may have gaps: what was said in other calls, or forgotten to save room.
    let from = 0;
    for (const message of asked) {
      const key = keyOf(message);
      const place = firstFrom(this.placesByKey.get(key) ?? [], from);
      if (place !== null) from = place + 1;
      else {
        this.push(key, message);
        from = this.messages.length;
      }
    }
    for (const message of answered) this.push(keyOf(message), message);
  }

  private push(key: string, message: ImportedMessage): void {
    const places = this.placesByKey.get(key);
    if (places === undefined) this.placesByKey.set(key, [this.messages.length]);
    else places.push(this.messages.length);
    this.messages.push({ ...message, parts: message.parts.map((part) => this.named(part)) });
  }

  /** Results often name their call alone. */
  private named(part: MessagePart): MessagePart {
    if (part.kind === 'tool_call') this.nameById.set(part.id, part.name);
    if (part.kind !== 'tool_result' || part.name !== '') return part;
    return { ...part, name: this.nameById.get(part.id) ?? '' };
  }
}

/** The first of these ascending numbers that is not below the bound. */
function firstFrom(places: readonly number[], bound: number): number | null {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return places[low] ?? null;
}

/** Equal for messages that say the same. Thoughts and ids often get lost on the way into the next call. */
function keyOf({ role, parts }: ImportedMessage): string {
  const others = parts.flatMap((part): Json[] => {
    if (part.kind === 'tool_call') return [[part.name, part.args]];
    if (part.kind === 'tool_result') return [part.result];
    return part.kind === 'media' ? [part.url] : [];
  });
  return jsonText([role, textOf(parts).trim(), others]);
}
