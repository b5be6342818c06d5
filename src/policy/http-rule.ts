import type { Policy } from '../types/policy.ts';
import { type CanonicalUrl, canonicalUrl } from './canonical-url.ts';
import type { FamilyRule } from './env-rule.ts';
import type { Patterns } from './path-pattern.ts';
import type { HttpQuestion } from './policy-question.ts';
import { compileUrlPatterns } from './url-pattern.ts';
import { BoundedMemo } from './bounded-memo.ts';
import { visibleText } from '../text/visible-text.ts';

export interface HttpRule extends FamilyRule {
  decide(question: HttpQuestion): string | null;
}

/** `[policy.http]`: which URLs may be called, and with which methods; an empty list of methods means any. */
export function httpRule(policy: Policy['http']): HttpRule {
  const urls = compileUrlPatterns(policy.urls);
  const methods = new Set(policy.methods.map((method) => method.toUpperCase()));
  const memo = new BoundedMemo<string | null>();

  return {
    problems: urls.problems,
    decide: (question) => {
      const key = `${question.method} ${question.url}`;
      const hit = memo.get(key);
      return hit !== undefined ? hit : memo.set(key, judge(question, urls, methods));
    },
  };
}

function judge(
  question: HttpQuestion,
  urls: Patterns<CanonicalUrl | null>,
  methods: ReadonlySet<string>,
): string | null {
  const method = question.method.toUpperCase();
  const url = visibleText(question.url);
  const subject = `http_request \`${visibleText(method)} ${url}\``;
  if (urls.count === 0) return `${subject}: http_request denied: no \`http.urls\` allowlist configured`;
  if (methods.size > 0 && !methods.has(method)) {
    return `${subject}: http_request method \`${visibleText(method)}\` not in allowlist`;
  }
  const note = judgeUrl(question.url, urls);
  if (note === null) return null;
  return `${subject}: http_request URL \`${url}\` not covered by any allowlist pattern${note}`;
}

function judgeUrl(text: string, urls: Patterns<CanonicalUrl | null>): string | null {
  const url = canonicalUrl(text);
  if ('problem' in url) {
    // No request can come of another scheme, so `*` lets the node itself say what is wrong with it.
    return url.kind === 'scheme' && urls.matches(null) ? null : `: ${url.problem}`;
  }
  if (urls.matches(url)) return null;
  return url.href === text ? '' : ` (canonical form \`${visibleText(url.href)}\`)`;
}
