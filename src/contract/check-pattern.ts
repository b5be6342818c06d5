import { RE2JS } from 're2js';
import type { Pointer } from '../source/toml-positions.ts';
import type { Report } from '../workflow/report.ts';

/** A pattern must be one. */
export function checkPattern(pattern: string, at: Pointer, report: Report): void {
  const problem = patternProblem(pattern);
  if (problem === null) return;
  report({
    code: 'bad_pattern',
    message: `This is not a pattern: ${problem}.`,
    at,
    hint: 'Patterns are written in RE2 syntax, which has no look-around and no back-references.',
  });
}

/** What is not a pattern is taken literally, which is worth knowing. */
export function checkExclusions(patterns: readonly string[], at: Pointer, report: Report): void {
  for (const [index, pattern] of patterns.entries()) {
    const problem = patternProblem(pattern);
    if (problem === null) continue;
    report({
      code: 'literal_pattern',
      severity: 'warning',
      message: `This is not a pattern, so it is looked for as it is written: ${problem}.`,
      at: [...at, index],
      hint: 'Put a backslash before characters that are meant literally.',
    });
  }
}

function patternProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
