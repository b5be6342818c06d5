/** What becomes of the parts of a JSON text; what is given back as it was given stays as it is written. */
export interface JsonParts {
  /** A text, with the key that it stands under; null: it is a key itself, or stands in a list. */
  readonly text: (value: string, key: string | null) => string;
  /** A number without point and exponent that is long enough to be one of a person; another text becomes a text. */
  readonly number: (digits: string) => string;
  /** What is no JSON after all, as it is written: a line of a log that begins like it, a text with a wrong escape. */
  readonly other: (written: string) => string;
}

const TEXT = /"(?:[^"\\]|\\.)*"/gs;
const LONG_NUMBER = /(?<![\w.+-])\d{9,32}(?![\w.])/g;

/**
 * Changes texts and numbers of a JSON text where they stand, and nothing else: blanks, order, other numbers and doubled keys
 * stay. It may be a part of a longer one, such as a line, and need not be right.
 */
export function scrubJsonText(json: string, parts: JsonParts): string {
  const between = (written: string): string => {
    if (!isSyntax(written)) return parts.other(written);
    return written.replaceAll(LONG_NUMBER, (digits) => {
      const changed = parts.number(digits);
      return changed === digits ? digits : JSON.stringify(changed);
    });
  };
  let key: string | null = null;
  let scrubbed = '';
  let at = 0;
  for (const { 0: written, index } of json.matchAll(TEXT)) {
    const before = json.slice(at, index);
    at = index + written.length;
    const value = parsed(written);
    const isKey = /^\s*:/.test(json.slice(at, at + 64));
    // A key speaks of a value where nothing but its colon stands between.
    const changed = value === null ? null : parts.text(value, !isKey && /^\s*:\s*$/.test(before) ? key : null);
    if (isKey) key = value;
    scrubbed += between(before);
    if (changed === null) scrubbed += parts.other(written);
    else scrubbed += changed === value ? written : JSON.stringify(changed);
  }
  return scrubbed + between(json.slice(at));
}

const SCALAR = /^(?:-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?|true|false|null)$/;

/** Whether JSON may have this between two texts: at most one colon, after a key, and single values with signs between them. */
function isSyntax(between: string): boolean {
  const rest = between.replace(/^\s*:/, '').replace(/^\ufeff/, '');
  if (rest.includes(':') || /[^\s{}[\],]\s+[^\s{}[\],]/.test(rest)) return false;
  return rest.split(/[\s{}[\],]+/).every((word) => word === '' || SCALAR.test(word));
}

function parsed(written: string): string | null {
  try {
    return JSON.parse(written) as string;
  } catch {
    return null;
  }
}
