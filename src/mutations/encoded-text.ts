/** A text in another notation, from which it can be read back. */
export interface Notation {
  readonly name: string;
  readonly encode: (text: string) => string;
}

/** Half characters have no bytes: they become U+FFFD. */
const bytesOf = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

export const NOTATIONS: readonly [Notation, ...Notation[]] = [
  {
    name: 'Base64',
    encode: (text) =>
      btoa(
        bytesOf(text)
          .map((byte) => String.fromCharCode(byte))
          .join(''),
      ),
  },
  {
    name: 'percent',
    encode: (text) =>
      bytesOf(text)
        .map((byte) => `%${hex(byte).toUpperCase()}`)
        .join(''),
  },
  { name: 'hexadecimal', encode: (text) => bytesOf(text).map(hex).join(' ') },
  {
    name: 'Unicode escape',
    encode: (text) =>
      Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
        '',
      ),
  },
];
