import type { ImportedMessage } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { fieldAt } from '../../values/json-fields.ts';
import { textOf } from '../../values/message-text.ts';

/** A text or number as a name; null: it is none. */
export function wordOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The task, by the usual keys of metadata; null: none of them is there. */
export function namedTask(metadata: unknown, names: readonly string[] = []): string | null {
  for (const name of [...names, 'task', 'task_id', 'case']) {
    const task = wordOf(fieldAt(metadata, name));
    if (task !== null) return task;
  }
  return null;
}

/** The text of the first question; null: there is none. */
export function firstAsked(messages: readonly ImportedMessage[] = []): string | null {
  const asked = messages.find(({ role }) => role === 'user');
  return asked === undefined ? null : textOf(asked.parts) || null;
}

/** Later fields replace earlier ones, unless they are null. Without earlier fields the later ones are returned as they are. */
export function mergedFields(earlier: JsonObject | undefined, later: JsonObject): JsonObject {
  // Most records stand in a source once.
  if (earlier === undefined) return later;
  return { ...earlier, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)) };
}

/** One reason of several under the name of a field, as `ImportedRun.unsaid`. */
export function joinedReasons(
  field: string,
  ...reasons: readonly (string | null | undefined)[]
): Readonly<Record<string, string>> {
  const texts = reasons.filter((reason) => typeof reason === 'string');
  return texts.length === 0 ? {} : { [field]: texts.join('; ') };
}
