import { readFileSync } from 'node:fs';
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

/** The schema's file stands in dist/schema for the bundles (dist/bin), and beside the sources. */
function textOf(document: OutputDocument): string {
  try {
    return readFileSync(new URL(`../schema/${document}.json`, import.meta.url), 'utf8');
  } catch {
    return readFileSync(new URL(`./schemas/${document}.json`, import.meta.url), 'utf8');
  }
}
