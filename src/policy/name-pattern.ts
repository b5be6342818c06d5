import type { Patterns } from './path-pattern.ts';

/** Patterns over names (environment keys, tools, servers): `*` is everything, `prefix*` a beginning, else equality. */
export function compileNamePatterns(patterns: readonly string[]): Patterns<string> {
  const all = patterns.includes('*');
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return {
    count: patterns.length,
    problems: [],
    matches: (name) => all || exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  };
}
