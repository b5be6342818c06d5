import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import { writtenAlike } from '../../values/deep-equal.ts';

/** Conversations of one trace that go on side by side, such as those of agents that call each other. */
const MOST_OPEN = 4;

/** How a list of messages is read. */
export interface ListReading {
  /** Lists of one form have the same `convert`. */
  readonly form: string;
  /** The messages of an element. A function of the element alone. */
  readonly convert: (element: unknown) => readonly ImportedMessage[];
}

interface KnownList {
  readonly form: string;
  readonly list: readonly unknown[];
  readonly messages: readonly (readonly ImportedMessage[])[];
}

/**
 * The inputs of the model calls of one trace. Each call repeats the messages before it. Elements that are written alike at
 * the beginning of two lists are converted once.
 */
export class MessageHistory {
  /** The last list of each conversation, the latest first. */
  private readonly open: KnownList[] = [];

  /** The messages of a list, in order. Elements of earlier lists give the same objects as before. */
  messagesOf(list: readonly unknown[], { form, convert }: ListReading): readonly ImportedMessage[] {
    if (list.length === 0) return [];
    let before: KnownList | null = null;
    let repeated = 0;
    for (const earlier of this.open) {
      const count = earlier.form === form ? commonCount(earlier.list, list) : 0;
      if (count > repeated) [before, repeated] = [earlier, count];
    }
    const messages = list.map((one, at) => (at < repeated ? before?.messages[at] : undefined) ?? convert(one));
    // The list of the next call replaces the list that it continues.
    if (before !== null && repeated === before.list.length) this.open.splice(this.open.indexOf(before), 1);
    this.open.unshift({ form, list, messages });
    if (this.open.length > MOST_OPEN) this.open.pop();
    return messages.flat();
  }
}

/** The count of elements that are written alike at the beginning of both lists. */
function commonCount(one: readonly unknown[], other: readonly unknown[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && writtenAlike(one[count] as Json, other[count] as Json)) count++;
  return count;
}
