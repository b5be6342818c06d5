import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** The description of a test point, with `#` escaped: it would begin a directive. */
export function escapeDescription(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

/** A YAML block of TAP, indented by two blanks. Texts are quoted as in JSON, so no reader takes one for another type. */
export function tapYaml(fields: Readonly<Record<string, Json>>): readonly string[] {
  return ['  ---', ...mapLines(fields, '  '), '  ...'];
}

function mapLines(fields: Readonly<Record<string, Json>>, indent: string): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => entryLines(`${indent}${key}:`, value, indent));
}

function entryLines(first: string, value: Json, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    // Short lists of plain values read best in one line.
    if (value.every(isScalar)) return [`${first} ${flowList(value)}`];
    return [first, ...value.flatMap((item) => itemLines(item, `${indent}  `))];
  }
  return isJsonObject(value) ? [first, ...mapLines(value, `${indent}  `)] : [`${first} ${JSON.stringify(value)}`];
}

function itemLines(item: Json, indent: string): readonly string[] {
  if (!isJsonObject(item)) return [`${indent}- ${JSON.stringify(item)}`];
  return mapLines(item, `${indent}  `).map((line, i) => (i === 0 ? `${indent}- ${line.trimStart()}` : line));
}

function flowList(items: readonly Json[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}
