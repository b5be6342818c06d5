import { findSsns } from './find-ssn.ts';
import { type Span, spanOf } from './span.ts';

/** Finds numbers that a state gives to people. */
export type IdFinder = (text: string) => Iterable<Span>;

/**
 * Numbers of people by the name that chooses them, each with the check that its state publishes. Where that is weak (one
 * number in ten, or none), a number must stand in the groups in which it is written.
 */
export const NATIONAL_IDS: Readonly<Record<string, IdFinder>> = {
  us_ssn: findSsns,
  // Two digits, each by weights and the remainder of 11.
  br_cpf: numbers(/\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}/, (cpf) => isCpf(cpf)),
  // Eight digits and the letter of their remainder by 23; of foreigners the first digit is a letter.
  es_dni: numbers(/(?:[XYZ]-?\d{7}|\d{8})-?[A-Z]/, (dni) => {
    const number = Number(dni.replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))).slice(0, -1));
    return 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23) === dni.at(-1);
  }),
  // 97 less the remainder by 97; Corsica counts as 19 and 18.
  fr_nir: numbers(/[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}/, (nir) => {
    const digits = nir.replace('2A', '19').replace('2B', '18');
    return /^\d{15}$/.test(digits) && 97 - Number(BigInt(digits.slice(0, 13)) % 97n) === Number(digits.slice(13));
  }),
  // ISO 7064, MOD 11,10.
  de_steuer_id: numbers(/[1-9]\d(?: ?\d{3}){3}/, (id) => isSteuerId(id)),
  // Every place has its weight, by whether it is odd, and the sum is a letter.
  it_codice_fiscale: numbers(/[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]/, (code) =>
    isCodiceFiscale(code),
  ),
  // The test of eleven.
  nl_bsn: numbers(/\d{4}\.\d{2}\.\d{3}|\d{9}/, (bsn) => {
    return Number(bsn) > 0 && weighed(bsn, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
  }),
  pl_pesel: numbers(/\d{2}(?:[02468][1-9]|[13579][0-2])[0-3]\d{6}/, (pesel) => {
    return weighed(pesel, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
  }),
  // It has no check; the letters leave few others.
  gb_nino: numbers(
    /(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/,
    () => true,
  ),
  // ISO 7064, MOD 11-2, with a date of birth in it.
  cn_id: numbers(/[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d{4}[\dX]/, (id) => {
    const sum = weighed(id.slice(0, 17), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    return '10X98765432'.charAt(sum % 11) === id.at(-1);
  }),
};

/** Finds these forms, where they are no part of a longer number or word, and the check holds without separators. */
function numbers({ source }: RegExp, isValid: (id: string) => boolean): IdFinder {
  return function* find(text) {
    const forms = new RegExp(`(?<![\\p{L}\\p{N}_.])(?:${source})(?![\\p{L}\\p{N}_]|[.-]\\d)`, 'gu');
    for (const { 0: found, index } of text.matchAll(forms)) {
      if (isValid(found.replace(/[ .-]/g, ''))) yield spanOf(index, found);
    }
  };
}

function weighed(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0);
}

function isCpf(cpf: string): boolean {
  if (/^(\d)\1+$/.test(cpf)) return false;
  return [9, 10].every((length) => {
    let sum = 0;
    for (let at = 0; at < length; at++) sum += Number(cpf.charAt(at)) * (length + 1 - at);
    return ((sum * 10) % 11) % 10 === Number(cpf.charAt(length));
  });
}

function isSteuerId(id: string): boolean {
  // Of the first ten digits one occurs twice or three times.
  if (new Set(id.slice(0, 10)).size > 9 || new Set(id.slice(0, 10)).size < 8) return false;
  let product = 10;
  for (const digit of id.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(id.charAt(10));
}

/** What a letter or digit counts at an odd place, in the order 0–9; letters A–J count as these, too. */
const ODD_DIGITS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
const ODD_LETTERS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isCodiceFiscale(code: string): boolean {
  let sum = 0;
  for (let at = 0; at < 15; at++) {
    const character = code.charAt(at);
    const isDigit = /\d/.test(character);
    const value = isDigit ? Number(character) : character.charCodeAt(0) - 65;
    sum += at % 2 === 1 ? value : ((isDigit ? ODD_DIGITS : ODD_LETTERS)[value] ?? 0);
  }
  return String.fromCharCode(65 + (sum % 26)) === code.at(-1);
}
