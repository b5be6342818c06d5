const LIMIT = 2048;

/** Untrusted text as a message may show it: control and direction characters escaped, cut after 2,048 characters. */
export function visibleText(text: string): string {
  const shown = text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
  return shown.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
