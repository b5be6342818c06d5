import { hasControl } from './canonical-path.ts';
import { hidesDotSegment } from './canonical-url.ts';
import type { Patterns } from './path-pattern.ts';

/**
 * Patterns over the URIs of MCP resources: name patterns, but a URI that climbs, hides something or carries control
 * characters matches only itself written out, and a prefix never reaches into another host.
 */
export function compileUriPatterns(patterns: readonly string[]): Patterns<string> {
  const all = patterns.includes('*');
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns
    .filter((pattern) => pattern.endsWith('*') && pattern !== '*')
    .map((pattern) => pattern.slice(0, -1));
  return {
    count: patterns.length,
    problems: [],
    matches: (uri) => {
      if (exact.has(uri)) return true;
      if (uriProblem(uri) !== null) return false;
      return all || prefixes.some((prefix) => uri.startsWith(prefix) && sameHost(prefix, uri));
    },
  };
}

/** Why a resource URI is not to be trusted with patterns; null: nothing. */
export function uriProblem(uri: string): string | null {
  if (hasControl(uri)) return 'the URI contains a control character';
  if (hidesDotSegment(uri)) return 'the URI contains a `.` or `..` segment';
  return null;
}

function sameHost(prefix: string, uri: string): boolean {
  const start = prefix.indexOf('://') + 3;
  if (start < 3 || start === prefix.length || /[/?#]/.test(prefix.slice(start))) return true;
  return /^[^/?#]*/.exec(uri.slice(start))?.[0] === prefix.slice(start);
}
