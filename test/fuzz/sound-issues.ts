import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { PasskError } from '../../src/errors.ts';
import { printError } from '../../src/source/print-error.ts';
import { printIssues } from '../../src/source/print-issue.ts';
import type { Issue } from '../../src/types/issue.ts';

/** What a terminal would obey, hide or reorder; lines may end. */
export const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** Absolute folder that other files' names are relative to. */
  readonly root: string;
}

/** Each issue points into the file it names, and is printed without a character that a terminal would obey. */
export function expectSoundIssues(issues: readonly Issue[], source: SourceText): void {
  for (const { at, code, message } of issues) {
    expect([code, message]).not.toContain('');
    if (at === undefined) continue;
    const lines = (at.file === source.file ? source.text : textOf(path.resolve(source.root, at.file))).split('\n');
    expect(at.line).toBeGreaterThanOrEqual(1);
    expect(at.line).toBeLessThanOrEqual(lines.length);
    const width = lines[at.line - 1]?.length ?? 0;
    expect(at.column).toBeGreaterThanOrEqual(1);
    expect(at.column).toBeLessThanOrEqual(width + 1);
    if (at.endColumn !== undefined) expect(at.endColumn).toBeGreaterThan(at.column);
    if (at.endColumn !== undefined) expect(at.endColumn).toBeLessThanOrEqual(width + 2);
  }
  expect(printIssues(issues, { color: false })).not.toMatch(UNSAFE);
}

/** The error is one of ours, and says what it has to say without a character that a terminal would obey. */
export function expectSoundError(error: unknown): void {
  if (!(error instanceof PasskError) || error.code === 'INTERNAL') throw error;
  const said = printError(error, { color: false });
  expect(said).not.toMatch(UNSAFE);
  expect(said.length).toBeLessThan(100_000);
}

/** What an action gives; undefined when it refused in our words. */
export async function orRefused<T>(action: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    expectSoundError(error);
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A file that is not there, or is a folder, is named as a whole: line 1, column 1.
    return '';
  }
}
