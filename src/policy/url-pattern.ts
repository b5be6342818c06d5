import { BoundedMemo } from './bounded-memo.ts';
import { canonicalUrl, type CanonicalUrl } from './canonical-url.ts';
import { splitPattern, type Patterns } from './path-pattern.ts';

/**
 * URL patterns over canonical URLs, with the endings of path patterns. The host must match exactly unless the `*`
 * stands where it begins: `https://*` is every https URL, `https://host*` is all of that one host.
 * `null` stands for a URL of another scheme, which only `*` allows.
 */
export function compileUrlPatterns(patterns: readonly string[]): Patterns<CanonicalUrl | null> {
  const key = JSON.stringify(patterns);
  return compiled.get(key) ?? compiled.set(key, compile(patterns));
}

/** Many scenarios of a suite have the same list, and reading a URL takes long. */
const compiled = new BoundedMemo<Patterns<CanonicalUrl | null>>();

function compile(patterns: readonly string[]): Patterns<CanonicalUrl | null> {
  const exact = new Set<string>();
  const origins = new Map<string, UrlScope[]>();
  const schemes: string[] = [];
  const problems: string[] = [];
  const all = patterns.includes('*');

  for (const pattern of patterns) {
    if (pattern === '*') continue;
    const lower = pattern.toLowerCase();
    if (lower === 'https://*' || lower === 'http://*') {
      schemes.push(lower.slice(0, -1));
      continue;
    }
    const scope = compileScope(pattern);
    if ('problem' in scope) {
      problems.push(`pattern \`${pattern}\` matches nothing: ${scope.problem}`);
      continue;
    }
    if (scope.kind === 'exact') {
      exact.add(scope.origin + scope.text);
      continue;
    }
    const scopes = origins.get(scope.origin);
    if (scopes === undefined) origins.set(scope.origin, [scope]);
    else scopes.push(scope);
  }

  return {
    count: patterns.length,
    problems,
    matches: (url) => {
      if (all) return true;
      if (url === null) return false;
      if (exact.has(url.href) || schemes.some((scheme) => url.origin.startsWith(scheme))) return true;
      return origins.get(url.origin)?.some((scope) => covers(scope, url.target)) ?? false;
    },
  };
}

interface UrlScope {
  readonly kind: 'exact' | 'folder' | 'prefix';
  readonly origin: string;
  readonly text: string;
}

function covers(scope: UrlScope, target: string): boolean {
  if (!target.startsWith(scope.text)) return false;
  return scope.kind === 'prefix' || target.length === scope.text.length || target[scope.text.length] === '/';
}

function compileScope(pattern: string): UrlScope | { readonly problem: string } {
  const { kind, text } = splitPattern(pattern);
  if (text.includes('#')) return { problem: 'a fragment is never part of a request' };
  const start = /^[^:]*:\/\/[^/?]+/.exec(text)?.[0].length ?? text.length;
  const url = kind === 'prefix' && start < text.length ? canonicalPrefix(text) : canonicalUrl(text);
  if ('problem' in url) return { problem: url.problem };
  const { origin, target } = url;
  if (origin.includes('*')) return { problem: 'a `*` inside a host is an ordinary character' };
  // A `*` right after the host means all of exactly that host.
  if (kind === 'prefix' && start === text.length) return { kind: 'folder', origin, text: '' };
  // Parsing drops an empty query, which would widen the pattern.
  if (kind === 'folder') return { kind, origin, text: text.endsWith('?') ? `${target}?` : target.replace(/\/$/, '') };
  return { kind, origin, text: target };
}

// The last segment or the query is only a beginning: a letter before or after it keeps `..` and `?` what they are.
function canonicalPrefix(text: string): ReturnType<typeof canonicalUrl> {
  if (text.includes('?')) {
    const url = canonicalUrl(`${text}x`);
    return 'problem' in url ? url : { ...url, target: url.target.slice(0, -1), href: url.href.slice(0, -1) };
  }
  const cut = text.lastIndexOf('/') + 1;
  const folder = canonicalUrl(text.slice(0, cut));
  if ('problem' in folder) return folder;
  const whole = canonicalUrl(`${text.slice(0, cut)}x${text.slice(cut)}`);
  if ('problem' in whole) return whole;
  const target = folder.target + whole.target.slice(folder.target.length + 1);
  return { origin: folder.origin, target, href: folder.origin + target };
}
