import { findCard } from './find-card.ts';
import { findEmail } from './find-email.ts';
import { findIban } from './find-iban.ts';
import { findIpv4, findIpv6 } from './find-ip.ts';
import { findPhone } from './find-phone.ts';
import { findSsn } from './find-ssn.ts';

export interface Pii {
  /** With its article: `an e-mail address`. */
  readonly what: string;
  readonly text: string;
}

/**
 * A finder gives the first text of its kind; null: there is none. Its work is within a constant times the text. Patterns with
 * properties of Unicode stand inside the finders: making them takes time, and most runs look for no personal data.
 */
export type PiiFinder = (text: string) => string | null;

const KINDS: readonly (readonly [string, PiiFinder])[] = [
  ['an e-mail address', findEmail],
  ['an IBAN', findIban],
  ['a card number', findCard],
  ['a social security number', findSsn],
  ['a phone number', findPhone],
  ['an IPv4 address', findIpv4],
  ['an IPv6 address', findIpv6],
];

/**
 * Personal data in a text, told by form, checksum and valid ranges; null: none. What each kind takes and leaves is said at
 * its finder. Names, street addresses, dates of birth, passports, keys and tokens are not looked for.
 */
export function findPii(text: string): Pii | null {
  for (const [what, find] of KINDS) {
    const found = find(text);
    if (found !== null) return { what, text: found };
  }
  return null;
}
