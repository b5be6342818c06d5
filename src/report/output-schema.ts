import { existsSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../types/json.ts';

/** JSON documents that passk writes, by what writes them. */
export type OutputDocument =
  | 'report'
  | 'plan'
  | 'explain'
  | 'trace'
  | 'baseline'
  | 'history'
  | 'comparison'
  | 'release'
  | 'release-explanation'
  | 'certificate'
  | 'price'
  | 'canary'
  | 'canary-rehearsal'
  | 'canary-shadow'
  | 'golden'
  | 'golden-run'
  | 'table-audit'
  | 'set-audit'
  | 'judge-tunnel'
  | 'judge-calibration';

/** Schemas that have been read. */
const SCHEMAS = new Map<OutputDocument, JsonObject>();

/**
 * JSON Schema (draft 2020-12) of a document that passk writes. `npm run schemas` makes it from the document's type. Its file
 * is read when somebody first asks for it.
 */
export function readOutputSchema(document: OutputDocument): JsonObject {
  const schema = SCHEMAS.get(document) ?? (JSON.parse(textOf(document)) as JsonObject);
  SCHEMAS.set(document, schema);
  return schema;
}

/** The same for programs. */
export async function outputSchema(document: OutputDocument): Promise<JsonObject> {
  return readOutputSchema(document);
}

/** Where the file stands: in dist/schema for the bundles (dist/bin) and the modules (dist/src), and beside the sources. */
const FOLDERS = ['../schema/', '../../schema/', './schemas/'];

function textOf(document: OutputDocument): string {
  const places = FOLDERS.map((folder) => new URL(`${folder}${document}.json`, import.meta.url));
  const place = places.find((one) => existsSync(one)) ?? places[0];
  return readFileSync(place as URL, 'utf8');
}
