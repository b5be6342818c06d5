import { re2 } from '../values/re2.ts';
import { type CanonicalUrl, canonicalUrl } from '../policy/canonical-url.ts';
import { splitPattern } from '../policy/path-pattern.ts';
import { compileUrlPatterns } from '../policy/url-pattern.ts';

/** A URL test, and why it can never hold; null: it can. */
export interface UrlMatch {
  readonly problem: string | null;
  readonly matches: (url: CanonicalUrl) => boolean;
}

/**
 * Compiles a URL with the endings of `[policy.http]`; a `*` before the end stands for any part of one segment of the
 * path. URLs are compared in canonical form.
 */
export function compileUrlMatch(pattern: string): UrlMatch {
  const { kind, text } = splitPattern(pattern);
  if (!pathOf(text).includes('*')) {
    const patterns = compileUrlPatterns([pattern]);
    return { problem: patterns.problems[0] ?? null, matches: (url) => patterns.matches(url) };
  }
  const url = canonicalUrl(text);
  if ('problem' in url) return never(`pattern \`${pattern}\` matches nothing: ${url.problem}`);
  if (url.origin.includes('*')) return never(`pattern \`${pattern}\` matches nothing: a host has no \`*\``);
  const target = kind === 'folder' ? url.target.replace(/\/$/, '') : url.target;
  const pieces = target.split('*').map((piece) => re2().quote(piece));
  const compiled = re2().compile(`^${pieces.join('[^/?]*')}${ENDINGS[kind]}$`, re2().DOTALL);
  return {
    problem: null,
    matches: ({ origin, target: requestTarget }) => origin === url.origin && compiled.test(requestTarget),
  };
}

const ENDINGS = { exact: '', folder: '(?:/.*)?', prefix: '.*' } as const;

/** What follows the host. */
function pathOf(text: string): string {
  return /^[^:]*:\/\/[^/?]*(.*)$/s.exec(text)?.[1] ?? '';
}

function never(problem: string): UrlMatch {
  return { problem, matches: () => false };
}
