import { type Span, spanOf } from './span.ts';

/** Words before what is an address, however low its numbers are; so is what stands in a URL. */
const ADDRESS_BEFORE =
  /(?:\bips?\b|\bipv4\b|\baddress(?:es)?\b|\bhosts?\b|:\/\/)(?:\s+(?:is|was|of))?[\s:=#"'(]{0,3}$/iu;

/**
 * A hit: four numbers up to 255 (`203.0.113.7`), also in a URL or with a port. No hit: a larger number
 * (`999.999.999.999`), leading zeros, a part of a longer dotted number (`1.2.3.4.5`), one after a word for versions
 * (`v12.0.3.4`, `version 10.0.19.45`, `Chrome/120.0.0.0`), four single digits unless a word before says that they are an
 * address (`1.2.3.4`, but `IP 8.8.8.8`), the machine itself (`127.0.0.1`) and no machine (`0.0.0.0`).
 */
export function* findIpv4s(text: string): Generator<Span> {
  const addresses =
    /(?<![\p{L}\p{N}_.])(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}(?![\p{L}\p{N}_]|\.\p{N})/gu;
  for (const { 0: found, index } of text.matchAll(addresses)) {
    if (found.startsWith('127.') || found.startsWith('0.')) continue;
    const before = text.slice(Math.max(0, index - 16), index);
    if (found.length === 7 && !ADDRESS_BEFORE.test(before)) continue;
    // A product of a user agent is a version too: `Chrome/120.0.0.0`.
    if (!/(?:\bv|\bver\.?|\bversions?|\brelease|\bbuild|\bfirmware|\bdriver|\p{L}\/)[\s:=#]{0,3}$/iu.test(before))
      yield spanOf(index, found);
  }
}

/** Global, unique local and link-local addresses (RFC 4291, RFC 4193): what people and their machines have. */
const ASSIGNED = /^(?:[23]|f[cd]|fe[89ab])/i;

/**
 * A hit: `2001:db8::8a2e:370:7334`, `fe80::1`, all eight groups. No hit: `::1` and `::`, times (`12:34:56`), hardware
 * addresses, names of code (`dead::beef`), more than eight groups, more than one `::`.
 */
export function* findIpv6s(text: string): Generator<Span> {
  // Up to eight groups; with `::` in it, or with all eight.
  for (const { 0: matched, index } of text.matchAll(
    /(?<![\p{L}\p{N}_:.])[0-9a-f]{4}(?::[0-9a-f]{0,4}){2,8}(?![\p{L}\p{N}_:])/giu,
  )) {
    // A colon of the sentence.
    const found = matched.replace(/(?<!:):$/, '');
    if (ASSIGNED.test(found) && hasEightGroups(found)) yield spanOf(index, found);
  }
}

function hasEightGroups(address: string): boolean {
  const [head = '', tail, more] = address.split('::');
  if (more !== undefined) return false;
  const groups = head.split(':').concat(tail === undefined || tail === '' ? [] : tail.split(':'));
  if (groups.includes('')) return false;
  return tail === undefined ? groups.length === 8 : groups.length < 8;
}
