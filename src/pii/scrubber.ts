import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { scrubEscapedPieces } from './escaped-pieces.ts';
import { findCards } from './find-card.ts';
import { findEmails } from './find-email.ts';
import { findIbans } from './find-iban.ts';
import { findIpv4s, findIpv6s } from './find-ip.ts';
import { findPhones } from './find-phone.ts';
import {
  findPrivateKeys,
  findSecrets,
  findUrlCredentials,
  isPlaceholder,
  isSecretDigits,
  isSecretKey,
  SECRET_SIGN,
} from './find-secret.ts';
import { scrubJsonText } from './scrub-json-text.ts';
import type { Span } from './span.ts';

/** What is found, each with its counts. */
export const SCRUB_KINDS = [
  'secret',
  'credentials',
  'email',
  'iban',
  'card',
  'national_id',
  'phone',
  'ip',
  'custom',
] as const;
export type ScrubKind = (typeof SCRUB_KINDS)[number];

/** Finds what is to be replaced by tokens of this kind. */
export interface ScrubFinder {
  readonly kind: ScrubKind;
  readonly find: (text: string) => Iterable<Span>;
  /** What is in every text in which it finds something; absent: anything may be. Most texts have none of it. */
  readonly needs?: RegExp;
}

/** How often something of a kind was found, and how many different values that were. */
export interface ScrubCount {
  /** How many places were scrubbed. */
  readonly found: number;
  /** How many different values stood in them. */
  readonly values: number;
}

/** Where several want the same piece, the first of those that begin there. */
const ALWAYS: readonly ScrubFinder[] = [
  { kind: 'secret', find: findPrivateKeys, needs: /PRIVATE KEY/ },
  { kind: 'secret', find: findSecrets, needs: SECRET_SIGN },
  { kind: 'credentials', find: findUrlCredentials, needs: /:\/\/[^/]{0,600}@/ },
  { kind: 'email', find: findEmails, needs: /@/ },
  { kind: 'iban', find: findIbans, needs: /[A-Za-z]{2}\d{2}/ },
  { kind: 'card', find: findCards, needs: /\d{4}[ -]?\d{4}/ },
  { kind: 'phone', find: findPhones, needs: /\+[1-9]|\d{3}[-. ]\d{4}/ },
  { kind: 'ip', find: findIpv4s, needs: /\d\.\d/ },
  { kind: 'ip', find: findIpv6s, needs: /[0-9a-f]{4}:/i },
];

/** Kinds with a check digit. */
const CHECKED: ReadonlySet<ScrubKind> = new Set(['iban', 'card']);

interface Found extends Span {
  readonly kind: ScrubKind;
  readonly rank: number;
}

/** A token of an earlier run. */
const TOKEN = new RegExp(`^(?:${SCRUB_KINDS.join('|')})_[0-9a-f]{16}(?![0-9A-Za-z])`);

/** Base64 that is worth a look: an address of nine letters and more. Shorter pieces are words. */
const BASE64 = /(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/]{12,}|[A-Za-z0-9_-]{12,})={0,2}(?![A-Za-z0-9+/_=-])/g;
/** Boxes in boxes: JSON in texts of JSON, and base64. */
const DEEPEST = 8;

/**
 * Replaces personal data and secrets by tokens such as `email_8f14e45fceea167a`: a keyed hash of the kind and the value
 * (HMAC-SHA-256, RFC 2104, of which 64 bits are shown), so that the same value has the same token wherever it stands, and
 * nobody without the key finds out which value that is. What each finder takes and leaves is said there; names, postal
 * addresses and dates of birth are not looked for.
 */
export class Scrubber {
  private readonly finders: readonly ScrubFinder[];
  private readonly key: string;
  private readonly tokens = new Map<ScrubKind, Map<string, number>>();
  private lately: ScrubKind[] = [];

  constructor({ key, finders = [] }: { readonly key: string; readonly finders?: readonly ScrubFinder[] }) {
    this.key = key;
    // What the user asked for goes before what is looked for anyway.
    this.finders = [...finders, ...ALWAYS];
  }

  /** A text with tokens in it; the same text where nothing was found. */
  text(text: string, depth = 0): string {
    if (depth < DEEPEST && /^\s*[[{]/.test(text) && text.includes('"')) return this.json(text, depth + 1);
    return this.words(text, depth);
  }

  /** JSON as it is written, whole or a line of it: texts, keys and long numbers in it; everything else byte for byte. */
  json(text: string, depth = 0): string {
    return scrubJsonText(text, {
      text: (value, key) => (key === null || !isSecret(key, value) ? this.text(value, depth) : this.secret(value)),
      number: (digits, key) => {
        if (key !== null && isSecretDigits(key, digits)) return this.token('secret', digits);
        return /^\d{9,32}$/.test(digits) ? this.plain(digits) : digits;
      },
      other: (written) => this.words(written, depth),
    });
  }

  /** What was found since it was made, by kind, in their order. */
  get counts(): Readonly<Partial<Record<ScrubKind, ScrubCount>>> {
    return Object.fromEntries(
      SCRUB_KINDS.flatMap((kind) => {
        const tokens = this.tokens.get(kind);
        if (tokens === undefined) return [];
        return [[kind, { found: [...tokens.values()].reduce((sum, count) => sum + count, 0), values: tokens.size }]];
      }),
    );
  }

  /** The kinds of what was found since this was last asked, one for each. */
  takeFound(): readonly ScrubKind[] {
    const { lately } = this;
    this.lately = [];
    return lately;
  }

  /** A text that is no JSON. */
  private words(text: string, depth: number): string {
    if (depth >= DEEPEST) return this.plain(text);
    // Escapes first: half of a number behind one may look like another number.
    const clean = this.plain(scrubEscapedPieces(text, (piece) => this.text(piece, depth + 1)));
    return this.unpacked(clean, depth + 1);
  }

  private plain(text: string): string {
    const found: Found[] = [];
    for (const [rank, { kind, find, needs }] of this.finders.entries()) {
      if (needs?.test(text) === false) continue;
      for (const { from, to } of find(text)) found.push({ from, to, kind, rank });
    }
    if (found.length === 0) return text;
    found.sort((a, b) => a.from - b.from || a.rank - b.rank || b.to - a.to);
    let scrubbed = '';
    let at = 0;
    for (const [place, { from, to, kind }] of found.entries()) {
      // What stands before the host of a URL looks like an address once it is a token.
      if (from < at || TOKEN.test(text.slice(from, to))) continue;
      if (kind === 'phone' && reachesIntoChecked(found, place)) continue;
      scrubbed += text.slice(at, from) + this.token(kind, text.slice(from, to));
      at = to;
    }
    return scrubbed + text.slice(at);
  }

  private secret(value: string): string {
    return isPlaceholder(value) ? value : this.token('secret', value);
  }

  /** Pieces of base64 that hold text are packed again with tokens in it. */
  private unpacked(text: string, depth: number): string {
    return text.replaceAll(BASE64, (packed) => {
      const bytes = Buffer.from(packed, 'base64');
      const inside = bytes.toString('utf8');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes that are no text
      if (inside.includes('\ufffd') || /[\u0000-\u0008\u000e-\u001f]/.test(inside)) return packed;
      const scrubbed = this.text(inside, depth);
      if (scrubbed === inside) return packed;
      const again = Buffer.from(scrubbed).toString(/[-_]/.test(packed) ? 'base64url' : 'base64');
      return packed.endsWith('=') || packed.length % 4 === 0 ? again : again.replace(/=+$/, '');
    });
  }

  private token(kind: ScrubKind, value: string): string {
    const digest = createHmac('sha256', this.key)
      .update(`${kind}\0${canonical(kind, value)}`)
      .digest('hex');
    const token = `${kind}_${digest.slice(0, 16)}`;
    this.lately.push(kind);
    const tokens = this.tokens.get(kind) ?? new Map<string, number>();
    this.tokens.set(kind, tokens.set(token, (tokens.get(token) ?? 0) + 1));
    return token;
  }
}

/**
 * Whether a card or an IBAN begins inside of this phone and goes on behind it: phones are told by their form alone, those
 * by a check digit too.
 */
function reachesIntoChecked(found: readonly Found[], place: number): boolean {
  const { to } = found[place] as Found;
  for (let next = place + 1; next < found.length; next++) {
    const other = found[next] as Found;
    if (other.from >= to) return false;
    if (CHECKED.has(other.kind) && other.to > to) return true;
  }
  return false;
}

/** The value without what says nothing: how it is grouped, and the case of what has none. */
function canonical(kind: ScrubKind, value: string): string {
  switch (kind) {
    case 'email':
    case 'ip':
      return value.toLowerCase();
    case 'card':
    case 'iban':
    case 'national_id':
      return value.replace(/[ .-]/g, '').toUpperCase();
    case 'phone':
      return value.replace(/[^\d+]/g, '');
    default:
      return value;
  }
}

function isSecret(key: string, value: string): boolean {
  return isSecretKey(key) || isSecretDigits(key, value);
}
