import { type Span, spanOf } from './span.ts';

/**
 * A US social security number. A hit: `123-45-6789`, with dots or spaces as well, the same one twice. No hit: no
 * separators, area 000, 666 or 9xx, group 00, serial 0000 (never issued), ZIP+4 (`12345-6789`), a part of a longer number.
 */
export function* findSsns(text: string): Generator<Span> {
  const number =
    /(?<![\p{L}\p{N}_]|\d[-. ])(?!000|666|9)\d{3}([-. ])(?!00)\d{2}\1(?!0000)\d{4}(?![\p{L}\p{N}_]|[-. ]?\d)/gu;
  for (const { 0: found, index } of text.matchAll(number)) yield spanOf(index, found);
}
