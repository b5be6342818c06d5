import type { TSchema } from 'typebox';
import type { Json, JsonObject } from '../types/json.ts';
import { asJsonSchema, isTable, type JsonSchema } from './json-schema.ts';
import { isPlainPart, isPlainSchema } from './plain-schema.ts';
import { hasType, typesOf } from './toml-words.ts';

type Test = (value: Json) => boolean;
type Library = typeof import('typebox/compile');

const tests = new WeakMap<object, Test>();
let library: Library | null = null;

/** Whether a value is what a schema says. Schemas that are not plain need `loadSchemaLibrary` before. */
export function fitsSchema(schema: TSchema, value: unknown): boolean {
  let test = tests.get(schema);
  if (test === undefined) {
    // As long as nobody needed the library, all schemas are plain, and asking each part would take longer than a test.
    test = library === null || isPlainSchema(schema) ? testOf(asJsonSchema(schema)) : libraryTest(schema);
    tests.set(schema, test);
  }
  // Whatever is no JSON has a type that no keyword names.
  return test(value as Json);
}

/** Loads what tests all other schemas. */
export async function loadSchemaLibrary(): Promise<void> {
  library = await import('typebox/compile');
}

/** What the library says is wrong, for keywords that passk cannot explain; [] for plain schemas. */
export function libraryErrors(
  schema: TSchema,
  value: Json,
): readonly { readonly instancePath: string; readonly message: string }[] {
  return isPlainSchema(schema) ? [] : compiled(schema).Errors(value);
}

function libraryTest(schema: TSchema): Test {
  const validator = compiled(schema);
  return (value) => validator.Check(value);
}

function compiled(schema: TSchema): ReturnType<Library['Compile']> {
  if (library === null) throw new TypeError('The schema library has not been loaded.');
  return library.Compile(schema);
}

const anything = (): boolean => true;
const isText = (value: Json): boolean => typeof value === 'string';
const isNumber = (value: Json): boolean => typeof value === 'number' && Number.isFinite(value);

/** The tests of one part of a schema, made the first time that a value comes to it: most parts are never met. */
class Part {
  private readonly schema: JsonSchema | boolean;
  private test: Test | null = null;

  constructor(schema: JsonSchema | boolean) {
    this.schema = schema;
  }

  fits(value: Json): boolean {
    this.test ??= typeof this.schema === 'boolean' ? (this.schema ? anything : () => false) : testOf(this.schema);
    return this.test(value);
  }
}

function testOf(schema: JsonSchema): Test {
  if (!isPlainPart(schema as JsonObject)) throw new TypeError('The schema library has not been loaded.');
  return plainTest(schema) ?? wholeTest(schema);
}

function wholeTest(schema: JsonSchema): Test {
  const all = [
    ...typeTests(schema),
    ...choiceTests(schema),
    ...numberTests(schema),
    ...textTests(schema),
    ...listTests(schema),
    ...tableTests(schema),
  ];
  const [first, second] = all;
  if (first === undefined) return anything;
  if (second === undefined) return first;
  if (all.length === 2) return (value) => first(value) && second(value);
  return (value) => {
    for (const test of all) if (!test(value)) return false;
    return true;
  };
}

/**
 * One test instead of several for tables and lists that say no more than what is in them, as nearly all parts of passk's
 * own schemas do; null: the schema says more.
 */
function plainTest({ type, description, ...schema }: JsonSchema): Test | null {
  if (type === 'array') {
    const { items, ...others } = schema;
    if (items === undefined || Array.isArray(items) || Object.keys(others).length > 0) return null;
    return listTest(new Part(items as JsonSchema));
  }
  if (type !== 'object') return null;
  const { properties = {}, required = [], additionalProperties = true, ...others } = schema;
  if (Object.keys(others).length > 0 || required.some((key) => !Object.hasOwn(properties, key))) return null;
  const declared = new Map(
    Object.entries(properties).map(([key, inner]) => [
      key,
      { part: new Part(inner), isRequired: required.includes(key) },
    ]),
  );
  const rest = new Part(additionalProperties);
  const most = new Set(required).size;
  return (value) => {
    if (!isTable(value)) return false;
    let missing = most;
    // Data inherits nothing that this loop would see.
    for (const key in value) {
      const known = declared.get(key);
      if (!(known === undefined ? rest : known.part).fits(value[key] as Json)) return false;
      if (known?.isRequired === true) missing--;
    }
    return missing === 0;
  };
}

function listTest(part: Part): Test {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value as readonly Json[]) if (!part.fits(item)) return false;
    return true;
  };
}

function typeTests(schema: JsonSchema): readonly Test[] {
  const types = typesOf(schema);
  if (types === null) return [];
  const [only = '', ...others] = types;
  const simple = SIMPLE_TYPES.get(only);
  if (simple !== undefined && others.length === 0) return [simple];
  // What is no finite number is none.
  return [(value) => hasType(value, types) && (typeof value !== 'number' || Number.isFinite(value))];
}

/** Most parts of a schema have one type. */
const SIMPLE_TYPES: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['string', isText],
  ['object', isTable],
  ['array', (value) => Array.isArray(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['number', isNumber],
  ['boolean', (value) => typeof value === 'boolean'],
]);

function choiceTests({ const: only, enum: words, anyOf }: JsonSchema): readonly Test[] {
  const found: Test[] = [];
  if (only !== undefined) found.push((value) => value === only);
  if (words !== undefined) {
    const known = new Set(words);
    found.push((value) => known.has(value));
  }
  if (anyOf !== undefined) {
    const branches = anyOf.map((branch) => new Part(branch));
    found.push((value) => {
      for (const branch of branches) if (branch.fits(value)) return true;
      return false;
    });
  }
  return found;
}

function numberTests({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): readonly Test[] {
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum];
  if (bounds.every((bound) => bound === undefined)) return [];
  const [least, most, above, below] = [
    minimum ?? Number.NEGATIVE_INFINITY,
    maximum ?? Number.POSITIVE_INFINITY,
    exclusiveMinimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMaximum ?? Number.POSITIVE_INFINITY,
  ];
  return [(value) => typeof value !== 'number' || (value >= least && value <= most && value > above && value < below)];
}

function textTests({ minLength = 0, pattern }: JsonSchema): readonly Test[] {
  const found: Test[] = [];
  if (minLength > 0) found.push((value) => value !== '');
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u');
    found.push((value) => typeof value !== 'string' || expression.test(value));
  }
  return found;
}

function listTests(schema: JsonSchema): readonly Test[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  const found: Test[] = [];
  if (minItems > 0 || maxItems < Number.POSITIVE_INFINITY) {
    found.push((value) => !Array.isArray(value) || (value.length >= minItems && value.length <= maxItems));
  }
  if (items === undefined) return found;
  if (!Array.isArray(items)) {
    const test = listTest(new Part(items as JsonSchema));
    found.push((value) => !Array.isArray(value) || test(value));
    return found;
  }
  const places = items.map((item: JsonSchema) => new Part(item));
  const isClosed = (schema as { readonly additionalItems?: false }).additionalItems === false;
  found.push(
    (value) =>
      !Array.isArray(value) ||
      ((!isClosed || value.length <= places.length) && value.every((item, index) => places[index]?.fits(item) ?? true)),
  );
  return found;
}

function tableTests(schema: JsonSchema): readonly Test[] {
  const { required = [], properties = {}, patternProperties = {}, additionalProperties = true } = schema;
  const found: Test[] = [];
  if (required.length > 0) {
    found.push((value) => {
      if (!isTable(value)) return true;
      for (const key of required) if (!Object.hasOwn(value, key)) return false;
      return true;
    });
  }
  const declared = new Map(Object.entries(properties).map(([key, inner]) => [key, new Part(inner)]));
  const patterns = Object.entries(patternProperties).map(
    ([pattern, inner]) => [new RegExp(pattern, 'u'), new Part(inner)] as const,
  );
  if (declared.size === 0 && patterns.length === 0 && additionalProperties === true) return found;
  const rest = new Part(additionalProperties);
  if (patterns.length === 0) {
    found.push((value) => {
      if (!isTable(value)) return true;
      // Data inherits nothing that this loop would see.
      for (const key in value) if (!(declared.get(key) ?? rest).fits(value[key] as Json)) return false;
      return true;
    });
    return found;
  }
  found.push((value) => {
    if (!isTable(value)) return true;
    for (const key of Object.keys(value)) {
      const inner = value[key] as Json;
      const part = declared.get(key);
      let isKnown = part !== undefined;
      if (part !== undefined && !part.fits(inner)) return false;
      for (const [pattern, named] of patterns) {
        if (!pattern.test(key)) continue;
        isKnown = true;
        if (!named.fits(inner)) return false;
      }
      if (!isKnown && !rest.fits(inner)) return false;
    }
    return true;
  });
  return found;
}
