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
 * What calls of models in one trace were asked with. Every call repeats the messages before it, and each message is converted
 * once: a list begins with the messages that another one began with, as far as the elements are written alike.
 */
export class MessageHistory {
  /** The last list of each conversation, the latest first. */
  private readonly open: KnownList[] = [];

  /** The messages of a list, in order. Those of elements that are known are the same objects as before. */
  messagesOf(list: readonly unknown[], { form, convert }: ListReading): readonly ImportedMessage[] {
    if (list.length === 0) return [];
    let before: KnownList | null = null;
    let repeated = 0;
    for (const earlier of this.open) {
      const count = earlier.form === form ? commonCount(earlier.list, list) : 0;
      if (count > repeated) [before, repeated] = [earlier, count];
    }
    const messages = list.map((one, at) => (at < repeated ? before?.messages[at] : undefined) ?? convert(one));
    // The list of the next call takes the place of the one that it goes on from.
    if (before !== null && repeated === before.list.length) this.open.splice(this.open.indexOf(before), 1);
    this.open.unshift({ form, list, messages });
    if (this.open.length > MOST_OPEN) this.open.pop();
    return messages.flat();
  }
}

/** With how many elements that are written alike both lists begin. */
function commonCount(one: readonly unknown[], other: readonly unknown[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && writtenAlike(one[count] as Json, other[count] as Json)) count++;
  return count;
}
