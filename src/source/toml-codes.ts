// Codes of the characters that mean something in TOML.

export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const APOSTROPHE = 39;
export const COMMA = 44;
export const DOT = 46;
export const ZERO = 48;
export const NINE = 57;
export const EQUALS = 61;
export const OPEN_LIST = 91;
export const BACKSLASH = 92;
export const CLOSE_LIST = 93;
export const LETTER_F = 102;
export const LETTER_T = 116;
export const OPEN_TABLE = 123;
export const CLOSE_TABLE = 125;
export const DELETE = 127;

/** 1 at the codes of what bare keys are made of. */
export const IN_KEY = marksAt('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');
function marksAt(characters: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0));
}

/** Whether it is a control character other than the tab. */
export function isUnusual(code: number): boolean {
  return (code < SPACE && code !== TAB) || code === DELETE;
}
