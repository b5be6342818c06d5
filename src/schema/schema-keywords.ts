/** What the value of a JSON Schema keyword must be. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema map'
  | 'schemas by pattern'
  | 'items'
  | 'dependencies'
  | 'type'
  | 'pattern'
  | 'reference'
  | 'anchor'
  | 'id'
  | 'number'
  | 'count'
  | 'boolean'
  | 'text'
  | 'texts'
  | 'text lists'
  | 'values'
  | 'refused';

/** The words that `type` may use. */
export const TYPE_WORDS: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** All keywords that decide whether a value is valid, with those that are refused. Others are notes for people. */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ['$ref', 'reference'],
  ['$anchor', 'anchor'],
  ['$id', 'id'],
  ['id', 'id'],
  ['$defs', 'schema map'],
  ['definitions', 'schema map'],
  ['properties', 'schema map'],
  ['patternProperties', 'schemas by pattern'],
  ['dependentSchemas', 'schema map'],
  ['dependencies', 'dependencies'],
  ['dependentRequired', 'text lists'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['not', 'schema'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['items', 'items'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['prefixItems', 'schemas'],
  ['type', 'type'],
  ['pattern', 'pattern'],
  ['format', 'text'],
  ['enum', 'values'],
  ['required', 'texts'],
  ['uniqueItems', 'boolean'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['$dynamicRef', 'refused'],
  ['$recursiveRef', 'refused'],
]);
