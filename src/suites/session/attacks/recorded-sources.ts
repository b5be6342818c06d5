import { findFile, type Places } from '../../../scenario/places.ts';
import { readSource } from '../../../source/source-file.ts';
import { parseYaml } from '../../../source/yaml-document.ts';
import type { JsonObject } from '../../../types/json.ts';
import { tablesAt, textAt } from '../../../workflow/raw-data.ts';

/** What stands in the files that `recorded` of attacks names, by those names; a file that is no JSON or YAML is left out. */
export type RecordedSources = ReadonlyMap<string, unknown>;

/** Results of whole red teams are large. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Reads the files that attacks name. Says nothing of those that are not there. */
export async function recordedSources(data: JsonObject, places: Places): Promise<RecordedSources> {
  const sources = new Map<string, unknown>();
  for (const { table } of tablesAt(data, 'attacks')) {
    const name = textAt(table, 'recorded');
    if (name === undefined || sources.has(name)) continue;
    const read = await readRecorded(name, places);
    if (read !== undefined) sources.set(name, read);
  }
  return sources;
}

async function readRecorded(name: string, places: Places): Promise<unknown> {
  const found = findFile(name, places, null);
  if (found === null || found.climbsTooFar) return undefined;
  const isYaml = /\.ya?ml$/i.test(name);
  const read = readSource(found.path, isYaml ? places : { ...places, maxBytes: MOST_BYTES });
  if (!read.ok) return undefined;
  if (isYaml) {
    const parsed = await parseYaml(read.source);
    return parsed.ok ? parsed.document.data : undefined;
  }
  try {
    return JSON.parse(read.source.text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
