import type { Json } from '../types/json.ts';
import type { SchemaCompiler } from './json-schema.ts';
import { parseJsonText } from './parse-json-text.ts';

/** What an answer must be: one JSON document, or one that a JSON Schema allows. */
export type OutputSchema = { readonly kind: 'json' } | { readonly kind: 'schema'; readonly schema: Json };

/** An answer's value, or why it is rejected. */
export type Answer = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly reason: string };

export type AnswerReader = (content: string) => Answer;

const TEXT: Answer = { ok: true, value: null };

/** Reads model answers as the schema demands; without one any text is accepted and its value is null. */
export function readAnswer(schema: OutputSchema | undefined, compileSchema: SchemaCompiler): AnswerReader {
  if (schema === undefined) return () => TEXT;
  const violations = schema.kind === 'schema' ? compileSchema(schema.schema) : () => [];
  return (content) => {
    const parsed = parseJsonText(content);
    if (!parsed.ok) return { ok: false, reason: `model returned invalid JSON: ${parsed.message}` };
    const found = violations(parsed.value);
    return found.length === 0 ? parsed : { ok: false, reason: `schema violation: ${found.join('; ')}` };
  };
}
