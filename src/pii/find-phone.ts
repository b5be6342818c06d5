import { type Span, spanOf } from './span.ts';

/** Digits of a number that is written without separators: shorter ones are as likely to be amounts. */
const LEAST_BARE = 10;
const LEAST = 8;

/**
 * A hit: a US number with separators (`(415) 555-2671`, `415.555.2671`, `1-415-555-2671`), a number with a leading `+`:
 * grouped with 8 digits or more (`+44 20 7946 0958`), bare with 10 or more (`+14155552671`). No hit: bare digits such as a
 * time stamp, area codes and exchanges that begin with 0 or 1, offsets of time zones (`+0100`), small changes (`+12000`), a
 * part of a longer number.
 */
export function* findPhones(text: string): Generator<Span> {
  // Area codes and exchanges of North America begin with 2 to 9.
  const american =
    /(?<![\p{L}\p{N}_+]|\d[-. ])(?:\+?1[-. ]?)?(?:\([2-9]\d\d\)[-. ]?|[2-9]\d\d[-. ])[2-9]\d\d[-. ]\d{4}(?![\p{L}\p{N}_]|[-. ]?\d)/gu;
  for (const { 0: found, index } of text.matchAll(american)) yield spanOf(index, found);
  // E.164: `+`, a country, 15 digits at most.
  const international = /(?<![\p{L}\p{N}_+])\+[1-9](?:[-. ()]{0,2}\d){6,14}(?![\p{L}\p{N}_]|[-. ]?\d)/gu;
  for (const { 0: found, index } of text.matchAll(international)) {
    const digits = found.replace(/\D/g, '').length;
    const isBare = digits === found.length - 1;
    if (digits >= (isBare ? LEAST_BARE : LEAST)) yield spanOf(index, found);
  }
}
