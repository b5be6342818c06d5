import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { isTooMuchWork } from '../values/work.ts';
import type { Dialect } from './dialect.ts';
import { KEYWORDS, type KeywordKind, TYPE_WORDS } from './schema-keywords.ts';

/** What is found in a JSON Schema before it is compiled. */
export interface InspectedSchema {
  /** All schemas in it, itself included, by the places and anchors that `$ref` names them by. */
  readonly schemas: ReadonlyMap<string, Json>;
  /** Everything that would not be enforced as written, each with its place: `#/properties/a: …`. [] means: compile it. */
  readonly problems: readonly string[];
}

/** Looks for everything in a JSON Schema that could not be enforced. Never throws. */
export function inspectJsonSchema(schema: Json, { pattern }: Pick<Dialect, 'pattern'>): InspectedSchema {
  const inspection = new Inspection(pattern);
  inspection.schema(schema, '#', 0);
  const problems = [...inspection.problems, ...inspection.badReferences()];
  return { schemas: inspection.schemas, problems };
}

/** The place or anchor that a `$ref` names; one that is badly encoded names nothing. */
export function placeOf(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return '';
  }
}

const MAX_DEPTH = 100;

class Inspection {
  readonly problems: string[] = [];
  readonly schemas = new Map<string, Json>();
  private readonly references: { readonly place: string; readonly target: string }[] = [];
  private readonly compilePattern: Dialect['pattern'];
  /** How many of the schemas around have a name, which the places in them would have to start from. */
  private named = 0;

  constructor(compilePattern: Dialect['pattern']) {
    this.compilePattern = compilePattern;
  }

  schema(value: Json, place: string, depth: number): void {
    this.schemas.set(place, value);
    if (typeof value === 'boolean') return;
    if (!isJsonObject(value)) this.bad(place, 'a schema must be a table, true or false');
    else if (depth > MAX_DEPTH) this.bad(place, `nested deeper than ${MAX_DEPTH} levels`);
    else this.keywords(value, place, depth);
  }

  private keywords(value: JsonObject, place: string, depth: number): void {
    if (typeof value['$anchor'] === 'string') this.schemas.set(`#${value['$anchor']}`, value);
    const isNamed = depth > 0 && typeof value['$id'] === 'string';
    if (isNamed) this.schemas.set(value['$id'] as string, value);
    if (isNamed) this.named++;
    for (const [key, inner] of Object.entries(value)) {
      const kind = KEYWORDS.get(key);
      // Nothing outside the schema can be referred to, so the root's own name does not matter.
      if (kind === undefined || (kind === 'id' && depth === 0)) continue;
      this.keyword(kind, inner, { key, place, at: `${place}/${escapeKey(key)}`, depth: depth + 1 });
    }
    if (isNamed) this.named--;
  }

  badReferences(): readonly string[] {
    const bad: string[] = [];
    for (const { place, target } of this.references) {
      if (this.schemas.has(placeOf(target))) continue;
      if (target.startsWith('#')) bad.push(`${place}: "${target}" names no schema`);
      else bad.push(`${place}: "${target}" is outside this schema; only "#…" and names of schemas in it are allowed`);
    }
    return bad;
  }

  private keyword(kind: KeywordKind, value: Json, where: Where): void {
    const { key, place, at, depth } = where;
    const plain = PLAIN[kind];
    if (plain !== undefined) {
      this.expect(plain.fits(value), at, plain.must);
      return;
    }
    switch (kind) {
      case 'schema':
        this.schema(value, at, depth);
        break;
      case 'schemas':
        this.list(value, at, depth);
        break;
      case 'items':
        if (isJsonArray(value)) this.list(value, at, depth);
        else this.schema(value, at, depth);
        break;
      case 'schema map':
        this.table(value, at, (item, itemAt) => this.schema(item, itemAt, depth));
        break;
      case 'dependencies':
        this.table(value, at, (item, itemAt) =>
          isJsonArray(item) ? this.texts(item, itemAt) : this.schema(item, itemAt, depth),
        );
        break;
      case 'text lists':
        this.table(value, at, (item, itemAt) => this.texts(item, itemAt));
        break;
      case 'type':
        this.type(value, at);
        break;
      case 'pattern':
        this.pattern(value, at);
        break;
      case 'reference':
        this.reference(value, at);
        break;
      case 'id':
        if (key !== '$id' || typeof value !== 'string' || !/^[\w.-]+$/.test(value)) {
          this.bad(place, `"${key}" is allowed only at the top, or as a name`);
        }
        break;
      case 'schemas by pattern':
        this.table(value, at, (item, itemAt) => this.schema(item, itemAt, depth));
        for (const pattern of isJsonObject(value) ? Object.keys(value) : []) this.pattern(pattern, at);
        break;
      case 'refused':
        this.bad(place, `"${key}" is not supported`);
    }
  }

  private list(value: Json, at: string, depth: number): void {
    if (!isJsonArray(value) || value.length === 0) this.bad(at, 'must be a list of schemas');
    else for (const [index, item] of value.entries()) this.schema(item, `${at}/${index}`, depth);
  }

  private table(value: Json, at: string, inspect: (item: Json, at: string) => void): void {
    if (!isJsonObject(value)) this.bad(at, 'must be a table');
    else for (const [key, item] of Object.entries(value)) inspect(item, `${at}/${escapeKey(key)}`);
  }

  private texts(value: Json, at: string): void {
    this.expect(isTexts(value), at, TEXTS);
  }

  private type(value: Json, at: string): void {
    const words = isJsonArray(value) ? value : [value];
    const unknown = words.find((word) => typeof word !== 'string' || !TYPE_WORDS.includes(word));
    if (unknown === undefined && words.length > 0) return;
    this.bad(at, `unknown type ${JSON.stringify(unknown ?? [])}; known: ${TYPE_WORDS.join(', ')}`);
  }

  private reference(value: Json, at: string): void {
    if (typeof value !== 'string') this.bad(at, 'must be text');
    else if (this.named > 0 && value.startsWith('#')) this.bad(at, 'must be a name inside a schema that has one');
    else this.references.push({ place: at, target: value });
  }

  private pattern(value: Json, at: string): void {
    if (typeof value !== 'string') {
      this.bad(at, 'must be text');
      return;
    }
    try {
      this.compilePattern(value);
    } catch (error) {
      if (isTooMuchWork(error)) throw error;
      this.bad(at, `pattern "${value}" cannot be used: ${(error as Error).message}`);
    }
  }

  private expect(ok: boolean, place: string, problem: string): void {
    if (!ok) this.bad(place, problem);
  }

  private bad(place: string, problem: string): void {
    this.problems.push(`${place}: ${problem}`);
  }
}

const TEXTS = 'must be a list of texts';

/** Keywords whose value is no schema and holds none. */
const PLAIN: Readonly<Partial<Record<KeywordKind, { fits(value: Json): boolean; readonly must: string }>>> = {
  texts: { fits: isTexts, must: TEXTS },
  values: { fits: isJsonArray, must: 'must be a list of values' },
  number: { fits: (value) => typeof value === 'number', must: 'must be a number' },
  count: { fits: isCount, must: 'must be a whole number of at least 0' },
  boolean: { fits: (value) => typeof value === 'boolean', must: 'must be true or false' },
  text: { fits: (value) => typeof value === 'string', must: 'must be text' },
  // Whatever is no text names nothing.
  anchor: { fits: () => true, must: '' },
};

interface Where {
  readonly key: string;
  /** The schema that has the keyword. */
  readonly place: string;
  /** The keyword's value. */
  readonly at: string;
  readonly depth: number;
}

function isTexts(value: Json): boolean {
  return isJsonArray(value) && value.every((item) => typeof item === 'string');
}

function isCount(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
