/** What becomes of the parts of a JSON text; what is given back as it was given stays as it is written. */
export interface JsonParts {
  /** A text, with the key that it stands under; null: it is a key itself, or stands in a list. */
  readonly text: (value: string, key: string | null) => string;
  /** A number without point and exponent that is long enough to be one of a person; another text becomes a text. */
  readonly number: (digits: string) => string;
}

/** A text as it is written, or a number of nine digits or more. */
const PARTS = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])\d{9,32}(?![\w.])/gs;

/**
 * Changes texts and numbers of a JSON text where they stand, and nothing else: blanks, order, other numbers and doubled keys
 * stay. It may be a part of a longer one, such as a line, and need not be right: what is no text of JSON is left alone.
 */
export function scrubJsonText(json: string, parts: JsonParts): string {
  let key: string | null = null;
  return json.replaceAll(PARTS, (written, at: number) => {
    if (!written.startsWith('"')) {
      const changed = parts.number(written);
      return changed === written ? written : JSON.stringify(changed);
    }
    const value = parsed(written);
    if (value === null) return written;
    const isKey = /^\s*:/.test(json.slice(at + written.length, at + written.length + 64));
    const changed = parts.text(value, isKey ? null : keyOf(json, at, key));
    if (isKey) key = value;
    return changed === value ? written : JSON.stringify(changed);
  });
}

/** The key before a value: the last one, where nothing but its colon stands between. */
function keyOf(json: string, at: number, last: string | null): string | null {
  return /:\s*$/.test(json.slice(Math.max(0, at - 64), at)) ? last : null;
}

function parsed(written: string): string | null {
  try {
    return JSON.parse(written) as string;
  } catch {
    return null;
  }
}
