import { canonicalPath } from './canonical-path.ts';
import type { Patterns } from './path-pattern.ts';
import type { ResolvePath } from './policy-question.ts';

/** Whether a path is allowed; if not, what a message should add about how it was read. */
export type PathVerdict = { readonly allowed: true } | { readonly allowed: false; readonly note: string };

/**
 * Judges a path by what it really names: its canonical form with links followed. A path that has no canonical form
 * is never allowed, whatever the patterns say.
 */
export function judgePath(path: string, patterns: Patterns<string>, resolvePath: ResolvePath): PathVerdict {
  const lexical = canonicalPath(path);
  if (typeof lexical !== 'string') return { allowed: false, note: `: ${lexical.problem}` };
  const resolved = canonicalPath(resolvePath(path));
  if (typeof resolved !== 'string') return { allowed: false, note: `: ${resolved.problem}` };
  if (patterns.matches(resolved)) return { allowed: true };
  const canonical = resolved === path ? '' : ` (it resolves to \`${resolved}\`)`;
  const backslash = path.includes('\\') ? ' (a backslash is an ordinary character, not a separator)' : '';
  return { allowed: false, note: canonical + backslash };
}
