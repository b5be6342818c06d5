import { fieldKey } from './structured-input.ts';

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
}

/**
 * Puts the prompt and its fields into their places, in one pass: nothing that was put in is looked at again. In JSON
 * every text is escaped, in `a=b&c=d` percent-encoded. A place whose field the prompt does not name stays as it is.
 */
export function fillTemplate(template: string, { prompt, fields, mayBeQuery }: TemplateValues): FilledTemplate {
  const kind = kindOf(template, mayBeQuery);
  const textAt = (name: string): string | undefined => (name === 'prompt' ? prompt : fields.get(fieldKey(name)));
  const spans = kind === 'json' ? stringSpans(template) : [];
  const text = template.replace(PLACE, (place, name: string, at: number) => {
    const value = textAt(name);
    if (value === undefined) return place;
    if (kind === 'query') return encodeURIComponent(value.replace(LONE_SURROGATE, '\ufffd'));
    if (kind === 'text') return value;
    const quoted = JSON.stringify(value);
    if (spans.some(([from, to]) => from < at && at < to)) return quoted.slice(1, -1);
    // Outside of quotes only what is a value by itself can stand without them.
    return isScalar(value) ? value : quoted;
  });
  return { kind, text };
}

function kindOf(template: string, mayBeQuery: boolean): TemplateKind {
  if (parsed(template) !== undefined || isNested(parsed(template.replace(PLACE, '0')))) return 'json';
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

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
