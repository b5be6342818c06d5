import { Compile } from 'typebox/schema';
import type { Json } from '../types/json.ts';
import type { SchemaCompiler } from './json-schema.ts';
import { prepareJsonSchema } from './prepare-json-schema.ts';
import { MAX_VALUE_BYTES, valueBytes } from './value-bytes.ts';

const MAX_VIOLATIONS = 10;
/** Listing violations can take time quadratic in the value; larger values are told in one line. */
const MAX_LISTED_BYTES = 64 * 1024;

/** The real validator. Imported only when a plan needs it: loading it costs more than starting a worker. */
export const compileJsonSchema: SchemaCompiler = (schema) => {
  const { schema: prepared, problems } = prepareJsonSchema(schema);
  if (problems.length > 0) return () => problems.map((problem) => `the schema itself is wrong: ${problem}`);
  const validator = attempt(() => Compile(prepared as Schema));
  if (validator === null) return () => ['the schema itself is wrong: it cannot be compiled'];
  return (value) => {
    const bytes = valueBytes(value);
    if (bytes > MAX_VALUE_BYTES) return ['the value is too large to be checked'];
    return attempt(() => violations(validator, bare(value), bytes)) ?? ['the schema refers to itself without end'];
  };
};

type Schema = Parameters<typeof Compile>[0];
type Validator = ReturnType<typeof Compile>;
type Violation = ReturnType<Validator['Errors']>[1][number];

// A reference that leads back to itself is found out only by running out of stack.
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function violations(validator: Validator, value: unknown, bytes: number): readonly string[] {
  if (validator.Check(value)) return [];
  if (bytes > MAX_LISTED_BYTES) return ['the value does not match the schema'];
  const [, errors] = validator.Errors(value);
  // "Schema is false" only repeats what the keyword that has the schema says, where one does.
  const said = errors.filter(({ keyword }) => keyword !== 'boolean');
  const texts = (said.length > 0 ? said : errors).map(describe);
  if (texts.length === 0) return ['the value does not match the schema'];
  if (texts.length <= MAX_VIOLATIONS) return texts;
  return [...texts.slice(0, MAX_VIOLATIONS), `and ${texts.length - MAX_VIOLATIONS} more`];
}

function describe({ instancePath, keyword, message, params }: Violation): string {
  const where = instancePath === '' ? 'the value' : instancePath;
  const names =
    keyword === 'additionalProperties' && 'additionalProperties' in params ? params.additionalProperties : [];
  return `${where} ${message}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}

/** A copy whose objects inherit nothing: the validator asks with `in`, and `toString` must not count as present. */
function bare(value: Json): unknown {
  const top: Nest = { value };
  const open = [{ nest: top, key: 'value' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const copy = bareCopy(next.nest[next.key]);
    if (copy === null) continue;
    next.nest[next.key] = copy;
    for (const key of Object.keys(copy)) open.push({ nest: copy, key });
  }
  return top['value'];
}

/** An object, or an array by its indices. */
type Nest = Record<string, unknown>;

function bareCopy(value: unknown): Nest | null {
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? ([...value] as unknown as Nest) : Object.assign(Object.create(null) as Nest, value);
}
