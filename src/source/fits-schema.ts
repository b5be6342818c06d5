import type { TSchema } from 'typebox';
import { compileRules } from '../schema/compile-rules.ts';
import type { Dialect } from '../schema/dialect.ts';
import { inspectJsonSchema } from '../schema/inspect-json-schema.ts';
import type { Rule } from '../schema/rule.ts';
import { Explanation } from '../schema/explanation.ts';
import { SchemaCheck } from '../schema/schema-check.ts';
import type { Violation } from '../schema/violation.ts';
import type { Json } from '../types/json.ts';

const rules = new WeakMap<TSchema, Rule>();
let formats: typeof import('typebox/format').Format | null = null;

/** Schemas of passk and its plug-ins, which are trusted. Counts of passk are never beyond what a double holds. */
const DIALECT: Dialect = {
  takesBigints: false,
  pattern: (pattern) => {
    const expression = new RegExp(pattern, 'u');
    return (text) => expression.test(text);
  },
  format: (name) => (formats?.Has(name) === true ? (text) => formats?.Test(name, text) === true : undefined),
};

/** Whether a value is what a schema says. A `format` counts after `loadFormats` only. */
export function fitsSchema(schema: TSchema, value: unknown): boolean {
  // Whatever is no JSON has a type that no keyword names.
  return aCheck().fits(ruleOf(schema), value as Json);
}

/** Everything that a value violates of a schema; [] when it fits. */
export function schemaViolations(schema: TSchema, value: Json): readonly Violation[] {
  const check = aCheck();
  const rule = ruleOf(schema);
  return check.fits(rule, value) ? [] : new Explanation(check, Number.POSITIVE_INFINITY).violations(rule, value);
}

/** What keeps the schema of a plug-in from being enforced as it is written; []: nothing. */
export function schemaProblems(schema: TSchema): readonly string[] {
  return inspectJsonSchema(schema as Json, DIALECT).problems;
}

/** Loads what tests formats: the schemas of passk name none. */
export async function loadFormats(): Promise<void> {
  ({ Format: formats } = await import('typebox/format'));
}

/** Files may be as large as their readers let them. */
function aCheck(): SchemaCheck {
  return new SchemaCheck(Number.POSITIVE_INFINITY);
}

function ruleOf(schema: TSchema): Rule {
  let rule = rules.get(schema);
  if (rule === undefined) {
    rule = compileRules(schema as Json, partsOf(schema), DIALECT);
    rules.set(schema, rule);
  }
  return rule;
}

const NO_PARTS: ReadonlyMap<string, Json> = new Map();

/**
 * The parts of a schema by their places, for keywords that concern other parts. Most schemas have none of these, and to find
 * all places takes longer than to check a small file.
 */
function partsOf(schema: TSchema): ReadonlyMap<string, Json> {
  const looksAround = /"(?:\$ref|unevaluated\w+)":/.test(JSON.stringify(schema));
  return looksAround ? inspectJsonSchema(schema as Json, DIALECT).schemas : NO_PARTS;
}
