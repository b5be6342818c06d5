import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import type { MessagePart } from '../../types/message.ts';
import { jsonText } from '../../values/json-text.ts';
import { textOf } from '../../values/message-text.ts';

/**
 * Joins model calls into one conversation. Each call repeats the messages before it, so only its new messages and its answer
 * are added. A call that starts a new conversation, such as that of another agent, is added whole.
 */
export class Conversation {
  readonly messages: ImportedMessage[] = [];
  /** Where messages of the same words stand, in order: of the first `keyed` messages, because few conversations need it. */
  private readonly placesByKey = new Map<string, number[]>();
  private keyed = 0;
  /** Names of tools by the ids of their calls. */
  private readonly nameById = new Map<string, string>();

  /** A call: what the model was asked with, history included, and what it answered. */
  add(asked: readonly ImportedMessage[], answered: readonly ImportedMessage[]): void {
    // History stands in order, but may have gaps: what was said in other calls, or forgotten to save room.
    let from = 0;
    for (const message of asked) {
      const place = this.placeOf(message, from);
      if (place !== null) from = place + 1;
      else {
        this.push(message);
        from = this.messages.length;
      }
    }
    for (const message of answered) this.push(message);
  }

  /** Where the message was said first, from a place on; null: nowhere. */
  private placeOf(message: ImportedMessage, from: number): number | null {
    const next = this.messages[from];
    if (next === undefined) return null;
    if (isRepeated(next, message)) return from;
    for (; this.keyed < this.messages.length; this.keyed++) {
      const key = keyOf(this.messages[this.keyed] as ImportedMessage);
      const places = this.placesByKey.get(key);
      if (places === undefined) this.placesByKey.set(key, [this.keyed]);
      else places.push(this.keyed);
    }
    return firstFrom(this.placesByKey.get(keyOf(message)) ?? [], from);
  }

  private push(message: ImportedMessage): void {
    let lacksName = false;
    for (const part of message.parts) {
      if (part.kind === 'tool_call') this.nameById.set(part.id, part.name);
      else if (part.kind === 'tool_result' && part.name === '') lacksName = true;
    }
    this.messages.push(lacksName ? { ...message, parts: message.parts.map((part) => this.named(part)) } : message);
  }

  /** Results often name their call alone. */
  private named(part: MessagePart): MessagePart {
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

/** A cheap test for equal messages. False does not mean that they differ: their keys decide. */
function isRepeated(said: ImportedMessage, again: ImportedMessage): boolean {
  if (said === again) return true;
  return (
    said.role === again.role &&
    said.parts.length === again.parts.length &&
    said.parts.every((part, at) => isSamePart(part, again.parts[at]))
  );
}

function isSamePart(part: MessagePart, other: MessagePart | undefined): boolean {
  if (part.kind === 'text') return other?.kind === 'text' && part.text === other.text;
  if (part.kind === 'tool_call') {
    return other?.kind === 'tool_call' && part.name === other.name && isSameJson(part.args, other.args);
  }
  return part.kind === 'tool_result' && other?.kind === 'tool_result' && isSameJson(part.result, other.result);
}

function isSameJson(one: Json, other: Json): boolean {
  return one === other || (typeof one === 'object' && typeof other === 'object' && jsonText(one) === jsonText(other));
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
