import type { JsonObject } from '../types/json.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { visibleJson } from '../text/visible-text.ts';
import { isRecord } from '../values/is-json.ts';
import { readOutputSchema } from './output-schema.ts';

export interface RenderJsonOptions {
  /** False leaves out clocks, workers and host: then equal runs give equal bytes. */
  readonly timing: boolean;
}

/**
 * The report as JSON: keys in the order of the schema, indented by two blanks, a newline at the end. Equal reports give
 * equal bytes, in whatever order their keys were made.
 */
export function renderJson(report: SuiteReport, { timing }: RenderJsonOptions): string {
  const { timing: clocks, ...lasting } = report;
  const value = ordered(timing ? { ...lasting, timing: clocks } : lasting, readOutputSchema('report'));
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}

/** The value with keys in the order of its schema, other keys sorted. A value without a schema stays as it is. */
function ordered(value: unknown, schema: unknown): unknown {
  const shape = shapeOf(schema);
  if (shape === null) return value;
  if (Array.isArray(value)) return value.map((item) => ordered(item, shape.items));
  if (!isRecord(value)) return value;
  const { properties } = shape;
  const schemaKeys = Object.keys(properties).filter((key) => Object.hasOwn(value, key));
  const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  // fromEntries defines keys instead of assigning them: `__proto__` is a key like any other.
  return Object.fromEntries(
    [...schemaKeys, ...others.sort()].map((key) => [key, ordered(value[key], properties[key])]),
  );
}

interface Shape {
  readonly properties: JsonObject;
  readonly items: unknown;
}

/** The keys and items of a schema and its branches; null: it names no type. */
function shapeOf(schema: unknown): Shape | null {
  if (!isRecord(schema)) return null;
  const { $ref: name, anyOf: branches, type, properties = {}, items } = schema;
  if (typeof name === 'string') return shapeOf(definitions()[name.replace('#/$defs/', '')]);
  if (!Array.isArray(branches)) return type === undefined ? null : { properties: properties as JsonObject, items };
  const shapes = branches.map(shapeOf).filter((shape) => shape !== null);
  return {
    properties: Object.assign({}, ...shapes.map((shape) => shape.properties)),
    items: shapes.find((shape) => shape.items !== undefined)?.items,
  };
}

function definitions(): JsonObject {
  return readOutputSchema('report')['$defs'] as JsonObject;
}
