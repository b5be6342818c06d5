import { canonicalUrl, type CanonicalUrl } from '../../../policy/canonical-url.ts';
import { visibleText } from '../../../text/visible-text.ts';

/** One request on the way, secrets in place. */
export interface Hop {
  readonly method: string;
  readonly url: CanonicalUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Where a response sends its asker; null: it is final. */
export function redirectTarget(status: number, headers: Readonly<Record<string, string>>): string | null {
  return /^30[12378]$/.test(String(status)) && Object.hasOwn(headers, 'location')
    ? (headers['location'] ?? null)
    : null;
}

/**
 * The next request, by the rules of fetch: 303, and 301 or 302 after POST, become a GET without a body. Across origins
 * everything that proves who asks stays behind.
 */
export function nextHop(
  hop: Hop,
  status: number,
  location: string,
  secretNames: ReadonlySet<string>,
): Hop | { readonly problem: string } {
  const shown = visibleText(location);
  if (!URL.canParse(location, hop.url.href)) return { problem: `redirect to ${shown}: the URL is not valid` };
  const url = canonicalUrl(new URL(location, hop.url.href).href);
  if ('problem' in url) return { problem: `redirect to ${shown}: ${url.problem}` };
  const becomesGet =
    status === 303 ? hop.method !== 'GET' && hop.method !== 'HEAD' : status <= 302 && hop.method === 'POST';
  const crosses = url.origin !== hop.url.origin;
  const headers = Object.entries(hop.headers).filter(([name]) => {
    const key = name.toLowerCase();
    if (becomesGet && key.startsWith('content-')) return false;
    return !crosses || !(PROOFS.has(key) || secretNames.has(key));
  });
  return {
    method: becomesGet ? 'GET' : hop.method,
    url,
    headers: Object.fromEntries(headers),
    body: becomesGet ? null : hop.body,
  };
}

const PROOFS = new Set(['authorization', 'cookie', 'proxy-authorization']);
