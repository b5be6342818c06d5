import { hideCredentials } from '../values/hide-credentials.ts';

const LIMIT = 2048;

/**
 * Untrusted text as a message may show it: characters that control, hide, reorder or are half of one are escaped,
 * passwords in URLs starred out; cut after 2,048 characters.
 */
export function visibleText(text: string): string {
  const plain = hideCredentials(text);
  const shown = plain.length > LIMIT ? `${plain.slice(0, LIMIT)}…` : plain;
  return shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (char) =>
    char.length > 1 ? `\\u{${hex(char)}}` : `\\u${hex(char).padStart(4, '0')}`,
  );
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16);
}
