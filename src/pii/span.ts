/** A piece of a text, by UTF-16 units. */
export interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The piece that this text is, which begins there. */
export function spanOf(from: number, found: string): Span {
  return { from, to: from + found.length };
}
