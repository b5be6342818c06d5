/** Letters, digits and signs that need no escape in a URL, with escapes between them. It begins where such a run begins. */
const PERCENT = /(?<![\w.~+-])[\w.~+-]*(?:%[0-9A-Fa-f]{2}[\w.~+-]*)+/g;
/** The same of HTML: characters of addresses and numbers, with references to such characters between them. */
const REFERENCE = /&(?:#0*(\d{1,3})|#x0*([0-9a-f]{2})|(commat|period|plus|lowbar));/gi;
const REFERENCES = /(?<![\w.+'-])[\w.+'-]*(?:&(?:#0*\d{1,3}|#x0*[0-9a-f]{2}|commat|period|plus|lowbar);[\w.+'-]*)+/gi;
const NAMED: Readonly<Record<string, string>> = { commat: '@', period: '.', plus: '+', lowbar: '_' };

/**
 * The text with what `scrub` makes of its percent-encoded pieces and of those with references of HTML, such as
 * `jane%40example.com` and `jane&#64;example.com`. What `scrub` gives back as it was given stays as it is written.
 */
export function scrubEscapedPieces(text: string, scrub: (plain: string) => string): string {
  const urls = text.includes('%') ? text.replaceAll(PERCENT, (piece) => percentPiece(piece, scrub)) : text;
  return urls.includes('&') ? urls.replaceAll(REFERENCES, (piece) => referencePiece(piece, scrub)) : urls;
}

function percentPiece(piece: string, scrub: (plain: string) => string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(piece);
  } catch {
    // Its bytes are no text.
    return piece;
  }
  const scrubbed = scrub(plain);
  if (scrubbed === plain) return piece;
  const again = encodeURIComponent(scrubbed);
  // Servers take a plus that is not escaped for a blank.
  return /%2B/i.test(piece) ? again : again.replaceAll('%2B', '+');
}

function referencePiece(piece: string, scrub: (plain: string) => string): string {
  const plain = piece.replaceAll(REFERENCE, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? written;
    const sign = String.fromCharCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
    // All others mean something in HTML, or are of no address and no number.
    return /[\w@.+ -]/.test(sign) ? sign : written;
  });
  const scrubbed = scrub(plain);
  return scrubbed === plain ? piece : scrubbed;
}
