import type { TSchema } from 'typebox';
import { camelCase } from '../../source/camel-case.ts';
import { pointerText } from '../../source/check-schema.ts';
import { asJsonSchema, isTable, type JsonSchema } from '../../source/json-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';

/** What a program wrote before its keys became those of files, by which problems are told. */
export interface WrittenKeys {
  readonly plain: Json;
  /** Those whose keys in snake_case a program writes in camelCase. */
  readonly schemas: readonly TSchema[];
}

/** The place as the program wrote it: `contract.chaosMatrix[0]`. */
export function writtenPlace(pointer: Pointer, { plain }: WrittenKeys): string {
  let value: Json | undefined = plain;
  const steps = pointer.map((step) => {
    const name: string | number = isTable(value) && !Object.hasOwn(value, step) ? camelCase(`${step}`) : step;
    value = typeof value === 'object' && value !== null ? (value as Record<string, Json>)[name] : undefined;
    return name;
  });
  return pointerText(steps);
}

/** The issue, where it is about a key, with the keys that it leads to as a program writes them. */
export function withWrittenKeys(issue: Issue, { schemas }: WrittenKeys): Issue {
  if (issue.code !== 'unknown_key' && issue.code !== 'missing_key') return issue;
  const declared = new Set<string>();
  for (const schema of schemas) addKeys(asJsonSchema(schema), declared);
  const written = (text: string): string => text.replace(SNAKE, (key) => (declared.has(key) ? camelCase(key) : key));
  if (issue.code === 'missing_key') return { ...issue, message: issue.message.replace(NEEDED, written) };
  return issue.hint === undefined ? issue : { ...issue, hint: written(issue.hint) };
}

const SNAKE = /(?<![\w.])[a-z0-9]+(?:_[a-z0-9]+)+(?![\w.])/g;

/** Values in the same sentence are no keys. */
const NEEDED = /needs the key "\w+"(?: beside "\w+")?/;

function addKeys(schema: JsonSchema, keys: Set<string>): void {
  for (const key of Object.keys(schema.properties ?? {})) keys.add(key);
  for (const inner of innerSchemas(schema)) addKeys(inner, keys);
}

function innerSchemas(schema: JsonSchema): readonly JsonSchema[] {
  const { properties = {}, patternProperties = {}, additionalProperties: rest, items = [] } = schema;
  return [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...(typeof rest === 'object' ? [rest] : []),
    ...(Array.isArray(items) ? (items as readonly JsonSchema[]) : [items as JsonSchema]),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
}
