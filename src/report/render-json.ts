import type { JsonObject } from '../types/json.ts';
import type { SuiteReport } from '../types/report.ts';
import { visibleJson } from '../text/visible-text.ts';
import { isRecord } from '../values/is-json.ts';
import { reportSchema } from './report-schema.ts';

export interface RenderJsonOptions {
  /** False leaves out clocks, workers and host: then equal runs give equal bytes. */
  readonly timing: boolean;
}

/**
 * The report as JSON: keys in the order of the schema, indented by two blanks, a newline at the end. The bytes depend on
 * the report's value only, whoever put it together.
 */
export function renderJson(report: SuiteReport, { timing }: RenderJsonOptions): string {
  const { timing: clocks, ...lasting } = report;
  const value = ordered(timing ? { ...lasting, timing: clocks } : lasting, reportSchema);
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}

/** Objects the schema names keys for get them in its order, maps sorted; free values stay as they are. */
function ordered(value: unknown, schema: unknown): unknown {
  const shape = shapeOf(schema);
  if (shape === null) return value;
  if (Array.isArray(value)) return value.map((item) => ordered(item, shape.items));
  if (!isRecord(value)) return value;
  const { properties } = shape;
  const known = Object.keys(properties).filter((key) => Object.hasOwn(value, key));
  const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  // fromEntries defines keys instead of assigning them: `__proto__` is a key like any other.
  return Object.fromEntries([...known, ...others.sort()].map((key) => [key, ordered(value[key], properties[key])]));
}

interface Shape {
  readonly properties: JsonObject;
  readonly items: unknown;
}

/** What a schema says of keys and items, its branches taken together; null: it says nothing. */
function shapeOf(schema: unknown): Shape | null {
  if (!isRecord(schema)) return null;
  const { $ref: name, anyOf: branches, type, properties = {}, items } = schema;
  if (typeof name === 'string') return shapeOf(DEFINITIONS[name.replace('#/$defs/', '')]);
  if (!Array.isArray(branches)) return type === undefined ? null : { properties: properties as JsonObject, items };
  const shapes = branches.map(shapeOf).filter((shape) => shape !== null);
  return {
    properties: Object.assign({}, ...shapes.map((shape) => shape.properties)),
    items: shapes.find((shape) => shape.items !== undefined)?.items,
  };
}

const DEFINITIONS = reportSchema['$defs'] as JsonObject;
