import type { TSchema } from 'typebox';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { explainSchema } from './explain-schema.ts';
import type { Violation } from '../schema/violation-list.ts';
import { fitsSchema, schemaViolations } from './fits-schema.ts';
import { asJsonSchema } from './json-schema.ts';
import type { Mismatch } from './mismatch.ts';
import { isYamlFile } from './scan-folder.ts';
import { NULL_IN_TOML } from './toml-words.ts';
import type { SourceDocument } from './toml-document.ts';
import type { Pointer } from './toml-positions.ts';
import { valueAt } from './value-at.ts';

/** Problems of one document that are listed before the rest is only counted. */
const MAX_ISSUES = 200;

/** Checks the data at a place against a schema: all problems, each once, with positions, in document order. */
export function checkSchema(document: SourceDocument, pointer: Pointer, schema: TSchema): Issue[] {
  const value = valueAt(document.data, pointer);
  if (value === undefined) return [absent(document, pointer)];
  if (fitsSchema(schema, value)) return [];
  const placed = mismatches(schema, value, pointer).map((mismatch) => ({
    mismatch,
    start: document.range(mismatch.pointer, mismatch.part)[0],
  }));
  placed.sort((a, b) => a.start - b.start);
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const { mismatch, start } of placed) {
    // In YAML null is a value that was left out.
    const told = isYamlFile(document.source.path)
      ? mismatch.message.replace(NULL_IN_TOML, 'nothing')
      : mismatch.message;
    const message = `${placeName(mismatch, pointer)} ${told}`;
    const key = `${start} ${message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (issues.length >= MAX_ISSUES) continue;
    const at = document.locate(mismatch.pointer, mismatch.part);
    const issue: Issue = { code: mismatch.code, severity: 'error', message, at };
    issues.push(mismatch.hint === undefined ? issue : { ...issue, hint: mismatch.hint });
  }
  if (seen.size > MAX_ISSUES) issues.push(tooMany(document, seen.size - MAX_ISSUES));
  return issues;
}

/** What is wrong with a value that stands in no file, with what to do; `noun` stands for the value as a whole. */
export function valueProblems(schema: TSchema, value: Json, noun: string): readonly string[] {
  if (fitsSchema(schema, value)) return [];
  return mismatches(schema, value, []).map(({ pointer, message, hint }) => {
    const sentence = `${pointer.length === 0 ? noun : `"${pointerText(pointer)}"`} ${message}`;
    return hint === undefined ? sentence : `${sentence} ${hint}`;
  });
}

function mismatches(schema: TSchema, value: Json, pointer: Pointer): readonly Mismatch[] {
  const explained = explainSchema(asJsonSchema(schema), value, pointer, {});
  if (explained.length > 0) return explained;
  return schemaViolations(schema, value).map((violation) => asMismatch(violation, pointer));
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

function placeName(mismatch: Mismatch, base: Pointer): string {
  if (mismatch.pointer.length > 0) return `"${pointerText(mismatch.pointer)}"`;
  return base.length === 0 ? 'The file' : `"${pointerText(base)}"`;
}

/** For the rare keyword that the explanation does not know. */
function asMismatch({ at, text }: Violation, base: Pointer): Mismatch {
  const steps = at.split('/').slice(1);
  const pointer = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { code: 'bad_value', pointer: [...base, ...pointer], part: 'value', message: `${text}.` };
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
