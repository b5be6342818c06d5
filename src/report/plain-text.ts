import { hideCredentials } from '../values/hide-credentials.ts';
import { isPlain } from './characters.ts';
import { shorten } from './display-width.ts';

/**
 * Control characters, separators that break lines, marks that change direction, invisible characters and lone
 * surrogates: whatever lets text from elsewhere move the cursor, hide itself or pass for other text.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}\u{e0000}-\u{e007f}]/gu;

/** A data URI long enough to be noise. One pass: no part can take over what another has given up. */
const DATA_URI = /data:([\w.+-]{1,60}\/[\w.+-]{1,60})?[\w;=.+-]{0,120},[\w%+/=.~-]{32,}/g;

/** More code units than any character people write has: marks piled on one letter beyond this are dropped. */
const MARKS = /(\p{M}{4})\p{M}+/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from files, models and tools made harmless for one line: unsafe characters are shown as escapes, data URIs
 * are named instead of shown, passwords in URLs are starred out, and what is wider than `max` columns is shortened.
 */
export function plainText(text: string, max = Number.POSITIVE_INFINITY): string {
  const told = hideCredentials(text).replace(
    DATA_URI,
    (uri, type: string | undefined) => `data:${type ?? ''}…(${uri.length} characters)`,
  );
  // Neither of the two finds anything in a plain text, and both take long to be compiled.
  return shorten(isPlain(told) ? told : told.replace(MARKS, '$1').replace(UNSAFE, showEscape), max);
}

function showEscape(character: string): string {
  return NAMED[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
