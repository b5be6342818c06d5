import { type Span, spanOf } from './span.ts';

/** Longest local part and domain that mail servers take (RFC 5321, 4.5.3.1). */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

/** Pictures for dense displays: `icon@2x.png`. */
const SCALED_PICTURE = /^\d+x\./;

/**
 * A hit: `a@b.co`, `Jane.Doe+news@mail.example.com`, user information of a URL. No hit: a top label of one letter or of
 * digits (`a@b.c`, `lodash@4.17.21`), no dot after the sign (`root@localhost`), `@handle`, `icon@2x.png`.
 */
export function* findEmails(text: string): Generator<Span> {
  const localPart = /[\p{L}\p{N}._%+'-]+$/u;
  const domainName = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,63}(?![\p{L}\p{N}_])/u;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = localPart.exec(text.slice(Math.max(0, at - MAX_LOCAL), at))?.[0];
    if (local === undefined || !/[\p{L}\p{N}]/u.test(local)) continue;
    const domain = domainName.exec(text.slice(at + 1, at + 1 + MAX_DOMAIN))?.[0];
    if (domain === undefined || SCALED_PICTURE.test(domain)) continue;
    yield spanOf(at - local.length, `${local}@${domain}`);
  }
}
