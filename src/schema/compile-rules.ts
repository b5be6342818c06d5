import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { contains, itemCount, items, uniqueItems, unevaluatedItems } from './array-keywords.ts';
import { allOf, anyOf, condition, constant, not, oneOf, reference } from './combining-keywords.ts';
import {
  dependencies,
  keys,
  type NamedRules,
  patternProperties,
  properties,
  propertyCount,
  propertyNames,
  unevaluatedProperties,
} from './object-keywords.ts';
import { placeOf } from './inspect-json-schema.ts';
import type { Dialect } from './dialect.ts';
import type { Keyword, Outline, Rule } from './rule.ts';
import { range, VALUE_KEYWORDS } from './value-keywords.ts';
import type { NumberBounds } from './violation.ts';

/**
 * Compiles a JSON Schema without problems. `schemas`: all schemas in it, by the places and anchors that `$ref` names them
 * by. Keywords are in a fixed order, which is that of the violations they list. Those of a schema are compiled the first
 * time that a value comes to it: most parts of a large schema are never met.
 */
export function compileRules(schema: Json, schemas: ReadonlyMap<string, Json>, dialect: Dialect): Rule {
  return new RuleCompiler(schemas, dialect).rule(schema);
}

class LazyRule implements Rule {
  readonly isShared: boolean;
  readonly tracks: boolean;
  private readonly compiler: RuleCompiler;
  private readonly schema: Json;
  private compiled: readonly Keyword[] | null = null;
  private outlined: Outline | null = null;

  constructor(compiler: RuleCompiler, schema: Json, { isShared, tracks }: Pick<Rule, 'isShared' | 'tracks'>) {
    this.compiler = compiler;
    this.schema = schema;
    this.isShared = isShared;
    this.tracks = tracks;
  }

  get keywords(): readonly Keyword[] {
    this.compiled ??= this.compiler.keywords(this.schema);
    return this.compiled;
  }

  get outline(): Outline {
    this.outlined ??= this.compiler.outline(this.schema);
    return this.outlined;
  }
}

class RuleCompiler {
  private readonly rules = new Map<Json, Rule>();
  private readonly shared = new Set<Json>();
  private readonly schemas: ReadonlyMap<string, Json>;
  private readonly dialect: Dialect;
  private readonly tracks: boolean;

  constructor(schemas: ReadonlyMap<string, Json>, dialect: Dialect) {
    this.schemas = schemas;
    this.dialect = dialect;
    const all = [...schemas.values()].filter(isJsonObject);
    for (const { $ref } of all) if (typeof $ref === 'string') this.shared.add(this.find($ref));
    this.tracks = all.some((schema) => 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema);
  }

  /** One rule for each schema: those that refer to each other end where they began. */
  rule(schema: Json): Rule {
    let rule = this.rules.get(schema);
    if (rule === undefined) {
      rule = new LazyRule(this, schema, { isShared: this.shared.has(schema), tracks: this.tracks });
      this.rules.set(schema, rule);
    }
    return rule;
  }

  keywords(schema: Json): readonly Keyword[] {
    if (!isJsonObject(schema)) return [constant(schema === true)];
    return [
      ...this.plain(schema, ['const', 'enum', 'type']),
      ...this.ofObjects(schema),
      ...this.ofArrays(schema),
      ...this.plain(schema, ['minLength', 'maxLength', 'format', 'pattern']),
      ...ofNumbers(schema),
      ...this.plain(schema, ['multipleOf']),
      ...this.combining(schema),
      ...this.when(schema['unevaluatedItems'], unevaluatedItems),
      ...this.when(schema['unevaluatedProperties'], unevaluatedProperties),
    ];
  }

  outline(schema: Json): Outline {
    const { type, const: only, enum: list, required = [], properties = {}, description } = this.resolved(schema);
    const words = Array.isArray(type) ? (type as readonly string[]) : [type as string];
    return {
      allowed: only === undefined ? ((list as readonly Json[] | undefined) ?? null) : [only],
      types: type === undefined ? null : words,
      required: required as readonly string[],
      properties: this.named(properties),
      description: typeof description === 'string' ? description : undefined,
    };
  }

  /** What `$ref` leads to; a chain longer than this refers to itself. */
  private resolved(schema: Json): JsonObject {
    let current = schema;
    for (let steps = 0; steps < 16 && isJsonObject(current) && typeof current['$ref'] === 'string'; steps++) {
      current = this.find(current['$ref']);
    }
    return isJsonObject(current) ? current : {};
  }

  private ofObjects(schema: JsonObject): readonly Keyword[] {
    const { required, additionalProperties: additional } = schema;
    const declared = this.named(schema['properties'] ?? {});
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as JsonObject).map(([pattern, inner]) => ({
      pattern,
      matches: this.dialect.pattern(pattern),
      rule: this.rule(inner),
    }));
    const keyRules = {
      required: (required ?? []) as readonly string[],
      declared,
      patterns,
      additional: additional === undefined ? null : this.rule(additional),
      isClosed: additional === false,
    };
    const dependent = ['dependencies', 'dependentRequired', 'dependentSchemas'].map((key) => schema[key]);
    return [
      ...(required === undefined && additional === undefined ? [] : [keys(keyRules)]),
      ...dependent.flatMap((table) => (table === undefined ? [] : [dependencies(this.needs(table))])),
      ...(declared.size === 0 ? [] : [properties(declared)]),
      ...(patterns.length === 0 ? [] : [patternProperties(patterns)]),
      ...this.when(schema['propertyNames'], propertyNames),
      ...limits(schema, ['minProperties', 'maxProperties'], propertyCount),
    ];
  }

  private ofArrays(schema: JsonObject): readonly Keyword[] {
    const { items: all, prefixItems: first, additionalItems: more } = schema;
    const rest = (value: Json | undefined) => (value === undefined ? null : this.rule(value));
    const { minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = schema;
    return [
      ...this.when(schema['contains'], (rule) => contains(rule, Number(least), Number(most))),
      ...(first === undefined ? [] : [items(this.list(first), isJsonArray(all) ? null : rest(all))]),
      ...(isJsonArray(all) ? [items(this.list(all), rest(more))] : []),
      ...(first === undefined && all !== undefined && !isJsonArray(all) ? [items([], this.rule(all))] : []),
      ...limits(schema, ['minItems', 'maxItems'], itemCount),
      ...(schema['uniqueItems'] === true ? [uniqueItems()] : []),
    ];
  }

  private combining(schema: JsonObject): readonly Keyword[] {
    const { $ref: target } = schema;
    const branch = (key: string) => (schema[key] === undefined ? null : this.rule(schema[key]));
    const lists = { allOf, anyOf, oneOf };
    return [
      ...(typeof target === 'string' ? [reference(() => this.rule(this.find(target)))] : []),
      ...this.when(schema['if'], (rule) => condition(rule, [branch('then'), branch('else')])),
      ...this.when(schema['not'], not),
      ...Object.entries(lists).flatMap(([key, make]) => {
        const list = schema[key];
        return list === undefined ? [] : [make(this.list(list))];
      }),
    ];
  }

  private plain(schema: JsonObject, names: readonly string[]): readonly Keyword[] {
    return names.flatMap((name) => {
      const expected = schema[name];
      const make = VALUE_KEYWORDS[name];
      return expected === undefined || make === undefined ? [] : [make(expected, this.dialect)];
    });
  }

  private find(target: string): Json {
    return this.schemas.get(placeOf(target)) ?? false;
  }

  private when(schema: Json | undefined, make: (rule: Rule) => Keyword): readonly Keyword[] {
    return schema === undefined ? [] : [make(this.rule(schema))];
  }

  private list(schemas: Json): readonly Rule[] {
    return (schemas as readonly Json[]).map((schema) => this.rule(schema));
  }

  private named(table: Json): NamedRules {
    return new Map(Object.entries(table as JsonObject).map(([name, schema]) => [name, this.rule(schema)]));
  }

  private needs(table: Json): readonly (readonly [string, Rule | readonly string[]])[] {
    return Object.entries(table as JsonObject).map(([name, needed]) => [
      name,
      isJsonArray(needed) ? (needed as readonly string[]) : this.rule(needed),
    ]);
  }
}

function ofNumbers({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonObject): readonly Keyword[] {
  const bounds = { minimum, exclusiveMinimum, maximum, exclusiveMaximum };
  return Object.values(bounds).every((bound) => bound === undefined) ? [] : [range(bounds as NumberBounds)];
}

function limits<K extends string>(
  schema: JsonObject,
  names: readonly K[],
  make: (keyword: K, limit: number) => Keyword,
): readonly Keyword[] {
  return names.flatMap((name) => (schema[name] === undefined ? [] : [make(name, Number(schema[name]))]));
}
