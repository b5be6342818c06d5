import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { allOf, anyOf, condition, constant, not, oneOf, reference } from './combining-keywords.ts';
import {
  additionalProperties,
  contains,
  dependencies,
  itemCount,
  items,
  type NamedRules,
  patternProperties,
  properties,
  propertyCount,
  propertyNames,
  required,
  unevaluatedItems,
  unevaluatedProperties,
} from './nested-keywords.ts';
import { placeOf } from './inspect-json-schema.ts';
import type { Dialect } from './dialect.ts';
import type { Keyword, Rule } from './rule.ts';
import { VALUE_KEYWORDS } from './value-keywords.ts';

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
  private readonly compile: () => readonly Keyword[];
  private compiled: readonly Keyword[] | null = null;

  constructor(compile: () => readonly Keyword[], { isShared, tracks }: Pick<Rule, 'isShared' | 'tracks'>) {
    this.compile = compile;
    this.isShared = isShared;
    this.tracks = tracks;
  }

  get keywords(): readonly Keyword[] {
    this.compiled ??= this.compile();
    return this.compiled;
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
    const known = this.rules.get(schema);
    if (known !== undefined) return known;
    const compile = () => (isJsonObject(schema) ? this.keywords(schema) : [constant(schema === true)]);
    const rule = new LazyRule(compile, { isShared: this.shared.has(schema), tracks: this.tracks });
    this.rules.set(schema, rule);
    return rule;
  }

  private keywords(schema: JsonObject): readonly Keyword[] {
    return [
      ...this.plain(schema, ['type']),
      ...this.ofObjects(schema),
      ...this.ofArrays(schema),
      ...this.plain(schema, ['uniqueItems', 'minLength', 'maxLength', 'format', 'pattern']),
      ...this.plain(schema, ['exclusiveMinimum', 'exclusiveMaximum', 'minimum', 'maximum', 'multipleOf']),
      ...this.combining(schema),
      ...this.when(schema['unevaluatedItems'], unevaluatedItems),
      ...this.when(schema['unevaluatedProperties'], unevaluatedProperties),
    ];
  }

  private ofObjects(schema: JsonObject): readonly Keyword[] {
    const declared = new Set(isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : []);
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as JsonObject).map(
      ([pattern, inner]) => [this.dialect.pattern(pattern), this.rule(inner)] as const,
    );
    const dependent = ['dependencies', 'dependentRequired', 'dependentSchemas'].map((key) => schema[key]);
    return [
      ...(schema['required'] === undefined ? [] : [required(schema['required'] as readonly string[])]),
      ...this.when(schema['additionalProperties'], (rule) => additionalProperties(rule, declared, patterns)),
      ...dependent.flatMap((table) => (table === undefined ? [] : [dependencies(this.needs(table))])),
      ...(schema['properties'] === undefined ? [] : [properties(this.named(schema['properties']))]),
      ...(patterns.length === 0 ? [] : [patternProperties(patterns)]),
      ...this.when(schema['propertyNames'], propertyNames),
      ...bounds(schema['minProperties'], schema['maxProperties'], propertyCount),
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
      ...bounds(schema['minItems'], schema['maxItems'], itemCount),
    ];
  }

  private combining(schema: JsonObject): readonly Keyword[] {
    const { $ref: target } = schema;
    const branch = (key: string) => (schema[key] === undefined ? null : this.rule(schema[key]));
    const lists = { allOf, anyOf, oneOf };
    return [
      ...(typeof target === 'string' ? [reference(() => this.rule(this.find(target)))] : []),
      ...this.plain(schema, ['const', 'enum']),
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
      const wanted = schema[name];
      const make = VALUE_KEYWORDS[name];
      return wanted === undefined || make === undefined ? [] : [make(wanted, this.dialect)];
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
    return Object.entries(table as JsonObject).map(([name, schema]) => [name, this.rule(schema)]);
  }

  private needs(table: Json): readonly (readonly [string, Rule | readonly string[]])[] {
    return Object.entries(table as JsonObject).map(([name, needed]) => [
      name,
      isJsonArray(needed) ? (needed as readonly string[]) : this.rule(needed),
    ]);
  }
}

function bounds(
  least: Json | undefined,
  most: Json | undefined,
  make: (least: number, most: number) => Keyword,
): readonly Keyword[] {
  return [
    ...(least === undefined ? [] : [make(Number(least), Number.POSITIVE_INFINITY)]),
    ...(most === undefined ? [] : [make(0, Number(most))]),
  ];
}
