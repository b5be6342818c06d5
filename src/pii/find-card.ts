import { type Span, spanOf } from './span.ts';

/** First digits and lengths that networks have issued (ISO/IEC 7812): without them one number in ten would do. */
const ISSUED: readonly RegExp[] = [
  // Visa.
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  // Mastercard.
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/,
  // American Express.
  /^3[47]\d{13}$/,
  // Diners Club.
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/,
  // Discover, UnionPay, JCB.
  /^(?:6011|64[4-9]\d|65\d\d|62\d\d|35(?:2[89]|[3-8]\d))\d{12,15}$/,
  // Maestro.
  /^(?:50\d\d|5[6-8]\d\d|6304|6390|67\d\d)\d{9,15}$/,
  // Mir.
  /^220[0-4]\d{12,15}$/,
];

/**
 * A hit: 13 to 19 digits, bare or in groups (`4111 1111 1111 1111`, `3782-822463-10005`), that begin as cards do and have
 * a right check digit. No hit: a wrong check digit, another beginning (time stamps, most order numbers), a part of a
 * longer number or word.
 */
export function* findCards(text: string): Generator<Span> {
  // Bare, or in the groups that are printed on cards, with one kind of separator.
  const numbers =
    /(?<![\p{L}\p{N}_.])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?![\p{L}\p{N}_]|[.-]\d)/gu;
  for (let match = numbers.exec(text); match !== null; match = numbers.exec(text)) {
    const { 0: found, index } = match;
    // Three digits behind a number of 16 may be another number, such as the card's code.
    const card = [found, found.replace(/^((?:\d{4}[ -]){3}\d{4})[ -]\d{3}$/, '$1')].find(isCard);
    if (card !== undefined) yield spanOf(index, card);
    // The first group may be another number, such as a year: a card may begin with the second.
    const passed = card ?? found.replace(/[ -].*$/, '');
    numbers.lastIndex = index + passed.length;
  }
}

function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  return ISSUED.some((issued) => issued.test(digits)) && hasCheckDigit(digits);
}

/** Luhn's formula (ISO/IEC 7812-1, annex B): every second digit from the right is doubled, and the sum ends in 0. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const weighed = at % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
