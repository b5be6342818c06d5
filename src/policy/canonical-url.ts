import { hasControl, hasLoneSurrogate, type Problem } from './canonical-path.ts';

/** An http or https URL in its one spelling. */
export interface CanonicalUrl {
  /** Scheme, host and, unless it is the scheme's own, port: `https://api.example`. */
  readonly origin: string;
  /** Path and query, percent-encoding normalised, without fragment: `/v1?q=1`. */
  readonly target: string;
  readonly href: string;
}

/** Why a text is no URL that a request can go to. */
export interface UrlProblem extends Problem {
  /** `scheme`: it is not http or https at all, so that no request can come of it. */
  readonly kind: 'scheme' | 'host' | 'port' | 'spelling';
}

/**
 * One spelling for each URL: WHATWG parsing (case, default ports, IDN, integer hosts, dot segments), then unreserved
 * characters decoded, other escapes in upper case, no trailing dot of the host, no fragment. Refuses what two readers
 * could read differently: user information, white space, backslashes, control characters, hidden dot segments.
 */
export function canonicalUrl(text: string): CanonicalUrl | UrlProblem {
  const spelling = spellingProblem(text);
  if (spelling !== null) return refuse(spelling);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') {
    return { kind: 'scheme', problem: 'the URL must start with http:// or https://' };
  }
  const authority = /^[^:]*:\/\/([^/?#]+)/.exec(text)?.[1];
  if (authority === undefined || authority.startsWith(':')) return { kind: 'host', problem: 'the URL has no host' };
  if (authority.includes('@')) return refuse('the URL carries user information before its host');
  const url = parseUrl(text);
  if (url === null && hasBadPort(authority)) return { kind: 'port', problem: 'the URL has an invalid port' };
  if (url === null) return refuse('the URL is not valid');
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  if (host === '' || host.endsWith('.')) return refuse('the URL has no valid host');
  const path = normalisePercent(url.pathname);
  if (hidesDotSegment(path)) return refuse('the URL hides a `.` or `..` segment in its path');
  const origin = `${scheme}://${host}${url.port === '' ? '' : `:${url.port}`}`;
  const target = path + normalisePercent(url.search);
  return { origin, target, href: origin + target };
}

function spellingProblem(text: string): string | null {
  if (hasControl(text)) return 'the URL contains a control character';
  if (/\s/.test(text)) return 'the URL contains white space';
  if (text.includes('\\')) return 'the URL contains a backslash';
  if (hasLoneSurrogate(text)) return 'the URL is not valid Unicode';
  return null;
}

function refuse(problem: string): UrlProblem {
  return { kind: 'spelling', problem };
}

function hasBadPort(authority: string): boolean {
  const port = /:([^:\]]*)$/.exec(authority)?.[1] ?? '';
  return port !== '' && !(/^\d+$/.test(port) && Number(port) <= 65_535);
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

// A lone `%` becomes `%25`, or decoding its neighbours could make a new escape.
function normalisePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9A-Fa-f]{2})?/g, (_, hex: string | undefined) => {
    if (hex === undefined) return '%25';
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(char) ? char : `%${hex.toUpperCase()}`;
  });
}

const ROUNDS = 8;

/**
 * True when some server could read a `.` or `..` segment that a plain reading does not show: escaped slashes,
 * backslashes and dots, escaped once or several times, or followed by `;parameters`.
 */
export function hidesDotSegment(path: string): boolean {
  let text = path;
  for (let round = 0; round < ROUNDS; round++) {
    if (/(?:^|[/\\])\.\.?(?:$|[/\\;])/.test(text)) return true;
    const decoded = text.replace(/%(2e|2f|5c|3b|25)/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
