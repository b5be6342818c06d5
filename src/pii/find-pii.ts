import { findCards } from './find-card.ts';
import { findEmails } from './find-email.ts';
import { findIbans } from './find-iban.ts';
import { findIpv4s, findIpv6s } from './find-ip.ts';
import { findPhones } from './find-phone.ts';
import { findSsns } from './find-ssn.ts';
import type { Span } from './span.ts';

export interface Pii {
  /** With its article: `an e-mail address`. */
  readonly what: string;
  readonly text: string;
}

/**
 * A finder gives the texts of its kind, from left to right. Its work is within a constant times the text. Patterns with
 * properties of Unicode stand inside the finders: making them takes time, and most runs look for no personal data.
 */
export type PiiFinder = (text: string) => Iterable<Span>;

const KINDS: readonly (readonly [string, PiiFinder])[] = [
  ['an e-mail address', findEmails],
  ['an IBAN', findIbans],
  ['a card number', findCards],
  ['a social security number', findSsns],
  ['a phone number', findPhones],
  ['an IPv4 address', findIpv4s],
  ['an IPv6 address', findIpv6s],
];

/**
 * Personal data in a text, told by form, checksum and valid ranges; null: none. What each kind takes and leaves is said at
 * its finder. Names, street addresses, dates of birth, passports, keys and tokens are not looked for.
 */
export function findPii(text: string): Pii | null {
  for (const [what, find] of KINDS) {
    for (const { from, to } of find(text)) return { what, text: text.slice(from, to) };
  }
  return null;
}
