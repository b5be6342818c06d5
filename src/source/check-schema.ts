import type { TSchema } from 'typebox';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { JSON_NOTATION } from '../schema/notation.ts';
import { sayViolation } from '../schema/say-violation.ts';
import type { Violation } from '../schema/violation.ts';
import { schemaViolations } from './fits-schema.ts';
import type { SourceDocument } from './toml-document.ts';
import type { Pointer } from './place-tree.ts';
import { valueAt } from './value-at.ts';

/** Problems of one document that are listed before the rest is only counted. */
const MAX_ISSUES = 200;

/** Checks the data at a place against a schema: all problems, each once, with positions, in document order. */
export function checkSchema(document: SourceDocument, pointer: Pointer, schema: TSchema): Issue[] {
  const value = valueAt(document.data, pointer);
  if (value === undefined) return [absent(document, pointer)];
  const placed = schemaViolations(schema, value).map((violation) => {
    const at = [...pointer, ...violation.path];
    return { violation, at, start: document.range(at, violation.part)[0] };
  });
  placed.sort((a, b) => a.start - b.start);
  const issues: Issue[] = [];
  const listed = new Set<string>();
  for (const { violation, at, start } of placed) {
    const { code, message, part, hint } = problemOf(violation, at, document);
    const key = `${start} ${message}`;
    if (listed.has(key)) continue;
    listed.add(key);
    if (issues.length >= MAX_ISSUES) continue;
    const issue: Issue = { code, severity: 'error', message, at: document.locate(at, part) };
    issues.push(hint === undefined ? issue : { ...issue, hint });
  }
  if (listed.size > MAX_ISSUES) issues.push(tooMany(document, listed.size - MAX_ISSUES));
  return issues;
}

/** What is wrong with a value that stands at a place of a document, each problem with its own place. */
export function problemsAt(schema: TSchema, value: Json, at: Pointer, document: SourceDocument): readonly Problem[] {
  return schemaViolations(schema, value).map((violation) => problemOf(violation, [...at, ...violation.path], document));
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly at: Pointer;
  readonly part: 'key' | 'value';
  readonly hint?: string;
}

function problemOf(violation: Violation, at: Pointer, { notation }: SourceDocument): Problem {
  const { code, message, hint } = sayViolation(violation, notation);
  const place = at.length === 0 ? 'The file' : `"${pointerText(at)}"`;
  const problem = { code, message: `${place} ${message}`, at, part: violation.part };
  return hint === undefined ? problem : { ...problem, hint };
}

/** What is wrong with a value that stands in no file; `noun` is what a sentence calls the value as a whole. */
export function valueProblems(
  schema: TSchema,
  value: Json,
  noun: string,
): readonly { readonly message: string; readonly hint?: string }[] {
  return schemaViolations(schema, value).map((violation) => {
    const { message, hint } = sayViolation(violation, JSON_NOTATION);
    const place = violation.path.length === 0 ? noun : `"${pointerText(violation.path)}"`;
    return { message: `${place} ${message}`, ...(hint !== undefined && { hint }) };
  });
}

/** A place as users write it: `intel.turns[0].content`. */
export function pointerText(pointer: Pointer): string {
  let text = '';
  // A file that is a list has no name for it.
  for (const step of pointer[0] === '' ? pointer.slice(1) : pointer) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += `${text === '' ? '' : '.'}${keyText(step)}`;
  }
  return text;
}

const LONGEST_KEY = 60;

function keyText(key: string): string {
  if (key.length > LONGEST_KEY) return `${key.slice(0, LONGEST_KEY)}…`;
  return /^[\w-]+$/.test(key) ? key : `'${key}'`;
}

function absent(document: SourceDocument, pointer: Pointer): Issue {
  const message = `"${pointerText(pointer)}" is missing.`;
  return { code: 'missing_key', severity: 'error', message, at: document.locate(pointer) };
}

function tooMany(document: SourceDocument, count: number): Issue {
  const { name } = document.source;
  const message = `There are ${count} more problems in "${name}".`;
  return { code: 'too_many', severity: 'error', message, at: { file: name, line: 1, column: 1 } };
}
