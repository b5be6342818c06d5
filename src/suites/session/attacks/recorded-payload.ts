import type { Places } from '../../../scenario/places.ts';
import type { Pointer } from '../../../source/place-tree.ts';
import { readSource } from '../../../source/source-file.ts';
import { isRecord } from '../../../values/is-json.ts';
import { fieldAt } from '../../../values/json-fields.ts';
import type { Report } from '../../../workflow/report.ts';
import { namedFile } from '../named-file.ts';

export interface RecordedPayloadParts {
  readonly at: Pointer;
  readonly places: Places;
  readonly report: Report;
}

/**
 * What was injected in a run that AgentDojo wrote; '': nothing can be told of it, which is reported. AgentDojo injects one text
 * at every place that its user task reads.
 */
export function recordedPayload(name: string, { at, places, report }: RecordedPayloadParts): string {
  const file = namedFile({ name, at, noun: 'run', code: 'file_missing' }, places, report);
  if (file === null) return '';
  const texts = injectedIn(file, places);
  const [text = ''] = texts ?? [];
  if (texts !== null && texts.length === 1 && text.trim() !== '') return text;
  report({
    code: 'no_payload',
    message:
      texts === null
        ? `"${name}" is no run of AgentDojo.`
        : texts.length > 1
          ? `The run "${name}" has ${texts.length} injected texts, and an attack has one.`
          : `Nothing was injected in the run "${name}".`,
    at,
    hint: 'Name a file that AgentDojo wrote for a user task with an injection task, or write the text as "payload".',
  });
  return '';
}

/** Each injected text once; null: it is no run. */
function injectedIn(file: string, places: Places): readonly string[] | null {
  const read = readSource(file, places);
  if (!read.ok) return null;
  try {
    const injections = fieldAt(JSON.parse(read.source.text) as unknown, 'injections');
    if (!isRecord(injections)) return null;
    return [...new Set(Object.values(injections).filter((text) => typeof text === 'string'))];
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
