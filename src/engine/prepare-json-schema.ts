import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { LinearPattern } from './linear-pattern.ts';
import { KEYWORDS, type KeywordKind, TYPE_WORDS } from './schema-keywords.ts';

/** A schema ready for the validator: patterns run in linear time. Use it only when there are no problems. */
export interface PreparedSchema {
  readonly schema: unknown;
  /** Everything that would not be enforced as written, each with its place: `#/properties/a: …`. */
  readonly problems: readonly string[];
}

/** Checks a JSON Schema and makes it safe to validate with. Never throws. */
export function prepareJsonSchema(schema: Json): PreparedSchema {
  const preparation = new Preparation();
  const prepared = preparation.schema(schema, '#', 0);
  return { schema: prepared, problems: [...preparation.problems, ...preparation.badReferences()] };
}

const MAX_DEPTH = 100;

class Preparation {
  readonly problems: string[] = [];
  /** Places of schemas that have been prepared: the only ones that may be referred to. */
  private readonly places = new Set<string>();
  private readonly references: { readonly place: string; readonly target: string }[] = [];

  schema(value: Json, place: string, depth: number): unknown {
    this.places.add(place);
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value)) return this.bad(place, 'a schema must be a table, true or false');
    if (depth > MAX_DEPTH) return this.bad(place, `nested deeper than ${MAX_DEPTH} levels`);
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const kind = KEYWORDS.get(key);
      // The root's name is dropped: nothing outside the schema can be referred to.
      if (kind === 'id' && depth === 0) continue;
      const at = `${place}/${escapeKey(key)}`;
      entries.push([key, kind === undefined ? inner : this.keyword(kind, inner, { key, place, at, depth: depth + 1 })]);
    }
    return Object.fromEntries(entries);
  }

  badReferences(): readonly string[] {
    const bad: string[] = [];
    for (const { place, target } of this.references) {
      if (!target.startsWith('#')) bad.push(`${place}: "${target}" is outside this schema; only "#…" is allowed`);
      else if (!this.places.has(decoded(target))) bad.push(`${place}: "${target}" names no schema`);
    }
    return bad;
  }

  private keyword(kind: KeywordKind, value: Json, where: Where): unknown {
    const { key, place, at, depth } = where;
    switch (kind) {
      case 'schema':
        return this.schema(value, at, depth);
      case 'schemas':
        if (!isJsonArray(value) || value.length === 0) return this.bad(at, 'must be a list of schemas');
        return value.map((item, index) => this.schema(item, `${at}/${index}`, depth));
      case 'items':
        return this.keyword(isJsonArray(value) ? 'schemas' : 'schema', value, where);
      case 'schema map':
        return this.table(value, at, (item, itemAt) => this.schema(item, itemAt, depth));
      case 'dependencies':
        return this.table(value, at, (item, itemAt) =>
          isJsonArray(item) ? this.texts(item, itemAt) : this.schema(item, itemAt, depth),
        );
      case 'text lists':
        return this.table(value, at, (item, itemAt) => this.texts(item, itemAt));
      case 'texts':
        return this.texts(value, at);
      case 'values':
        return isJsonArray(value) ? value : this.bad(at, 'must be a list of values');
      case 'type':
        return this.type(value, at);
      case 'pattern':
        return this.pattern(value, at);
      case 'reference':
        if (typeof value !== 'string') return this.bad(at, 'must be text');
        this.references.push({ place: at, target: value });
        return value;
      case 'anchor':
        if (typeof value === 'string') this.places.add(`#${value}`);
        return value;
      case 'id':
        return this.bad(place, `"${key}" is allowed only at the top`);
      case 'number':
        return typeof value === 'number' ? value : this.bad(at, 'must be a number');
      case 'count':
        return isCount(value) ? value : this.bad(at, 'must be a whole number of at least 0');
      case 'boolean':
        return typeof value === 'boolean' ? value : this.bad(at, 'must be true or false');
      case 'text':
        return typeof value === 'string' ? value : this.bad(at, 'must be text');
      case 'refused':
        return this.bad(place, `"${key}" is not supported`);
    }
  }

  private table(value: Json, at: string, prepare: (item: Json, at: string) => unknown): unknown {
    if (!isJsonObject(value)) return this.bad(at, 'must be a table');
    const entry = ([key, item]: [string, Json]): [string, unknown] => [key, prepare(item, `${at}/${escapeKey(key)}`)];
    return Object.fromEntries(Object.entries(value as JsonObject).map(entry));
  }

  private texts(value: Json, at: string): unknown {
    const ok = isJsonArray(value) && value.every((item) => typeof item === 'string');
    return ok ? value : this.bad(at, 'must be a list of texts');
  }

  private type(value: Json, at: string): unknown {
    const words = isJsonArray(value) ? value : [value];
    const unknown = words.find((word) => typeof word !== 'string' || !TYPE_WORDS.includes(word));
    if (unknown === undefined && words.length > 0) return value;
    return this.bad(at, `unknown type ${JSON.stringify(unknown ?? [])}; known: ${TYPE_WORDS.join(', ')}`);
  }

  private pattern(value: Json, at: string): unknown {
    if (typeof value !== 'string') return this.bad(at, 'must be text');
    try {
      return new LinearPattern(value);
    } catch (error) {
      return this.bad(at, `pattern "${value}" cannot be searched in linear time: ${(error as Error).message}`);
    }
  }

  private bad(place: string, problem: string): true {
    this.problems.push(`${place}: ${problem}`);
    return true;
  }
}

interface Where {
  readonly key: string;
  /** The schema that has the keyword. */
  readonly place: string;
  /** The keyword's value. */
  readonly at: string;
  readonly depth: number;
}

function isCount(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A reference without percent-encoding; one that is badly encoded names nothing. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return '';
  }
}
