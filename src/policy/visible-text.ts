const LIMIT = 2048;

/** Untrusted text as a message may show it: control and direction characters escaped, cut after 2,048 characters. */
export function visibleText(text: string): string {
  const shown = text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
  return shown.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
