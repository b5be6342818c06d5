import { jsonIn } from '../values/json-in.ts';

/** What becomes of the parts of a JSON text; what is given back as it was given stays as it is written. */
export interface JsonParts {
  /** A text, with the key that it stands under; null: it is a key itself, or stands in a list. */
  readonly text: (value: string, key: string | null) => string;
  /**
   * A number without point and exponent that stands under a key, or is long enough to be one of a person; another text becomes
   * a text. The key is null for a number that stands in a list.
   */
  readonly number: (digits: string, key: string | null) => string;
  /** What is no JSON after all, as it is written: a line of a log that begins like it, a text with a wrong escape. */
  readonly other: (written: string) => string;
}

const TEXT = /"(?:[^"\\]|\\.)*"/gs;
/** What follows a key whose value is a whole number. */
const KEYED_NUMBER = /^(\s*:\s*)(-?\d{1,400})(?![\w.+-])/;
const LONG_NUMBER = /(?<![\w.+-])\d{9,32}(?![\w.])/g;

/**
 * Changes texts and numbers of a JSON text where they stand, and nothing else: blanks, order, other numbers and doubled keys
 * stay. It may be a part of a longer one, such as a line, and need not be right.
 */
export function scrubJsonText(json: string, parts: JsonParts): string {
  const between = (written: string, under: string | null): string => {
    if (!isSyntax(written)) return parts.other(written);
    const changed = (digits: string, of: string | null): string => {
      const found = parts.number(digits, of);
      return found === digits ? digits : JSON.stringify(found);
    };
    const keyed = under === null ? null : KEYED_NUMBER.exec(written);
    const [head = '', colon = '', digits = ''] = keyed ?? [];
    const rest = written.slice(head.length).replaceAll(LONG_NUMBER, (long) => changed(long, null));
    return keyed === null ? rest : colon + changed(digits, under) + rest;
  };
  let key: string | null = null;
  /** The text before what stands between, where it is a key. */
  let keyBefore: string | null = null;
  let scrubbed = '';
  let at = 0;
  for (const { 0: written, index } of json.matchAll(TEXT)) {
    const before = json.slice(at, index);
    at = index + written.length;
    const decoded = jsonIn(written);
    const value = typeof decoded === 'string' ? decoded : null;
    const isKey = /^\s*:/.test(json.slice(at, at + 64));
    // A key speaks of a value where nothing but its colon stands between.
    const changed = value === null ? null : parts.text(value, !isKey && /^\s*:\s*$/.test(before) ? key : null);
    if (isKey) key = value;
    scrubbed += between(before, keyBefore);
    keyBefore = isKey ? value : null;
    if (changed === null) scrubbed += parts.other(written);
    else scrubbed += changed === value ? written : JSON.stringify(changed);
  }
  return scrubbed + between(json.slice(at), keyBefore);
}

const SCALAR = /^(?:-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?|true|false|null)$/;

/** Whether JSON may have this between two texts: at most one colon, after a key, and single values with signs between them. */
function isSyntax(between: string): boolean {
  const rest = between.replace(/^\s*:/, '').replace(/^\ufeff/, '');
  if (rest.includes(':') || /[^\s{}[\],]\s+[^\s{}[\],]/.test(rest)) return false;
  return rest.split(/[\s{}[\],]+/).every((word) => word === '' || SCALAR.test(word));
}
