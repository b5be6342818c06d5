import { canonicalPath, isInside } from './canonical-path.ts';

/** Patterns of one list, compiled: any match allows. */
export interface Patterns<Candidate> {
  /** How many the author wrote. */
  readonly count: number;
  /** Patterns that can never match, and why. */
  readonly problems: readonly string[];
  matches(candidate: Candidate): boolean;
}

/**
 * Path patterns over canonical paths: `*` is everything, `folder/*` and `folder/**` the folder and all below it,
 * `prefix*` every path that begins so, anything else one path. A `*` elsewhere is an ordinary character.
 */
export function compilePathPatterns(patterns: readonly string[]): Patterns<string> {
  const exact = new Set<string>();
  const folders: string[] = [];
  const prefixes: string[] = [];
  const problems: string[] = [];
  const all = patterns.includes('*');

  for (const pattern of patterns) {
    if (pattern === '*') continue;
    const { kind, text } = splitPattern(pattern);
    const whole = kind === 'folder' && text === '' ? '/' : text;
    const resolved = kind === 'prefix' ? canonicalPrefix(text) : canonicalPath(whole);
    if (typeof resolved !== 'string') {
      problems.push(`pattern \`${pattern}\` matches nothing: ${resolved.problem}`);
      continue;
    }
    if (kind === 'exact') exact.add(resolved);
    if (kind === 'folder') folders.push(resolved);
    if (kind === 'prefix') prefixes.push(resolved);
  }

  return {
    count: patterns.length,
    problems,
    matches: (path) =>
      all ||
      exact.has(path) ||
      folders.some((folder) => isInside(folder, path)) ||
      prefixes.some((prefix) => path.startsWith(prefix)),
  };
}

/** What a pattern's ending makes of the text before it. */
export function splitPattern(pattern: string): { readonly kind: 'exact' | 'folder' | 'prefix'; readonly text: string } {
  if (pattern.endsWith('/**')) return { kind: 'folder', text: pattern.slice(0, -3) };
  if (pattern.endsWith('/*')) return { kind: 'folder', text: pattern.slice(0, -2) };
  if (pattern.endsWith('*')) return { kind: 'prefix', text: pattern.slice(0, -1) };
  return { kind: 'exact', text: pattern };
}

// The last segment is only the beginning of a name: `/a/..*` means names that begin with two dots, not the parent.
function canonicalPrefix(text: string): ReturnType<typeof canonicalPath> {
  const cut = text.lastIndexOf('/');
  const folder = canonicalPath(cut < 0 ? '.' : text.slice(0, cut + 1));
  const checked = canonicalPath(`/x${text.slice(cut + 1)}`);
  if (typeof folder !== 'string') return folder;
  if (typeof checked !== 'string') return checked;
  return `${folder === '/' ? '' : folder}/${text.slice(cut + 1)}`;
}
