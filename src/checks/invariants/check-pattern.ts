import { canNeverMatch, translatePattern } from '../../matching/translate-pattern.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { occursInEveryText } from '../../values/linear-search.ts';
import { re2 } from '../../values/re2.ts';
import type { Report } from '../../workflow/report.ts';

/** A pattern must be one, and should match something. */
export function checkPattern(pattern: string, at: Pointer, report: Report): void {
  const translated = translatePattern(pattern);
  if (!translated.ok) refuse(translated.reason, at, report);
  else {
    tellNeverMatches(pattern, at, report);
    // One that is missing has been told.
    if (pattern !== '' && translated.conditions.length === 0) tellAlwaysMatches(translated.pattern, at, report);
  }
}

/** What is not a pattern is taken literally, which is worth knowing. */
export function checkExclusions(patterns: readonly string[], at: Pointer, report: Report): void {
  for (const [index, pattern] of patterns.entries()) {
    const place = [...at, index];
    const translated = translatePattern(pattern);
    if (translated.ok) tellNeverMatches(pattern, place, report);
    else if (!translated.isSyntax) refuse(translated.reason, place, report);
    else {
      report({
        code: 'literal_pattern',
        severity: 'warning',
        message: `This is not a pattern, so it is looked for as it is written: ${translated.reason}.`,
        at: place,
        hint: 'Put a backslash before characters that are meant literally.',
      });
    }
  }
}

function refuse(reason: string, at: Pointer, report: Report): void {
  report({
    code: 'bad_pattern',
    message: `This is not a pattern that can be searched for: ${reason}.`,
    at,
    hint: "Patterns are those of Python's re, without what takes unbounded time, such as back-references.",
  });
}

function tellNeverMatches(pattern: string, at: Pointer, report: Report): void {
  if (!canNeverMatch(pattern)) return;
  report({
    code: 'useless_pattern',
    severity: 'warning',
    message: 'No text can match this pattern: something has to stand before its beginning or after its end.',
    at,
    hint: 'Where quotes keep backslashes as they are, write each of them once: \\$ is a dollar sign, \\\\$ is not.',
  });
}

function tellAlwaysMatches(translated: string, at: Pointer, report: Report): void {
  if (!occursInEveryText(translated, re2().LOOKBEHINDS)) return;
  report({
    code: 'useless_pattern',
    severity: 'warning',
    message: 'Every text matches this pattern, so it tells nothing apart.',
    at,
    hint: 'Write a pattern that some text does not have: \\S is in any text that is not blank.',
  });
}
