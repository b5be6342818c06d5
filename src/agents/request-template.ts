import { BoundedMemo } from '../policy/bounded-memo.ts';
import { fieldKey } from './structured-input.ts';
import { jsonIn } from '../values/json-in.ts';

/** A place: `{prompt}`, or the name of a field. Braces of JSON are followed by something else. */
const PLACE = /\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;
/** Cannot be percent-encoded. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** What stands between the places of a template decides how a text is put there. */
export type TemplateKind = 'json' | 'query' | 'text';

export interface FilledTemplate {
  readonly kind: TemplateKind;
  readonly text: string;
}

export interface TemplateValues {
  readonly prompt: string;
  /** As `structuredFields` gives them. */
  readonly fields: ReadonlyMap<string, string>;
  /** False: `a=b` is only text. */
  readonly mayBeQuery: boolean;
  /** Absent: the prompt belongs to no session. */
  readonly session?: SessionPlaces;
}

/** Places that only messages in sessions fill, by name; no field of a prompt takes them. */
export interface SessionPlaces {
  readonly texts: Readonly<Record<string, string>>;
  /** JSON, which stands in a template of JSON as it is, outside of quotes. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * Puts the prompt and its fields into their places, in one pass: nothing that was put in is looked at again. In JSON
 * every text is escaped, in `a=b&c=d` percent-encoded. A place whose field the prompt does not name stays as it is.
 */
export function fillTemplate(
  template: string,
  { prompt, fields, mayBeQuery, session }: TemplateValues,
): FilledTemplate {
  const { kind, spans } = shapeOf(template, mayBeQuery);
  const data = new Map(Object.entries(session?.data ?? {}));
  const own = new Map([...Object.entries(session?.texts ?? {}), ...data, ['prompt', prompt]]);
  const textAt = (name: string): string | undefined => own.get(name) ?? fields.get(fieldKey(name));
  const text = template.replace(PLACE, (place, name: string, at: number) => {
    const value = textAt(name);
    if (value === undefined) return place;
    if (kind === 'query') return encodeURIComponent(value.replace(LONE_SURROGATE, '\ufffd'));
    if (kind === 'text') return value;
    const quoted = JSON.stringify(value);
    if (spans.some(([from, to]) => from < at && at < to)) return quoted.slice(1, -1);
    // Outside of quotes only what is a value by itself can stand without them.
    return isScalar(value) || data.has(name) ? value : quoted;
  });
  return { kind, text };
}

interface TemplateShape {
  readonly kind: TemplateKind;
  /** Strings of a template of JSON. */
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** One template is filled for every message of a run. */
const shapes = new BoundedMemo<TemplateShape>();

function shapeOf(template: string, mayBeQuery: boolean): TemplateShape {
  const key = `${mayBeQuery} ${template}`;
  const shape = shapes.get(key);
  if (shape !== undefined) return shape;
  const kind = kindOf(template, mayBeQuery);
  return shapes.set(key, { kind, spans: kind === 'json' ? stringSpans(template) : [] });
}

function kindOf(template: string, mayBeQuery: boolean): TemplateKind {
  if (jsonIn(template) !== undefined || isNested(jsonIn(template.replace(PLACE, '0')))) return 'json';
  const isQuery = mayBeQuery && /^\??[^\s=&{}"]+=[^\s"]*$/.test(template.replace(PLACE, 'x'));
  return isQuery ? 'query' : 'text';
}

/** From the opening to the closing quote of every string of a JSON text. */
function stringSpans(json: string): readonly (readonly [from: number, to: number])[] {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(({ index, 0: text }) => [index, index + text.length - 1]);
}

function isScalar(text: string): boolean {
  return /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text.trim());
}

/** A place alone is text, not the value of a JSON document. */
function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
