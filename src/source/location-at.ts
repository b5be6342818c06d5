import type { Location } from '../types/issue.ts';
import { codeFrame } from './code-frame.ts';
import type { SourceFile } from './source-file.ts';

/**
 * The place of the text from `start` to `end` (exclusive), in the outermost file it stands in, with a code frame.
 * Offsets and columns count UTF-16 code units, as editors do; lines end at `\n`.
 */
export function locationAt(source: SourceFile, start: number, end: number = start + 1): Location {
  let file = source;
  let from = start;
  let to = end;
  while (file.origin !== undefined) {
    from = file.origin.outerOffset(from);
    to = file.origin.outerOffset(to);
    file = file.origin.source;
  }
  const starts = lineStarts(file);
  const line = lineOf(starts, Math.max(0, Math.min(from, file.text.length)));
  const lineStart = starts[line - 1] ?? 0;
  const column = Math.max(0, Math.min(from, file.text.length) - lineStart) + 1;
  const lineEnd = endOfLine(file.text, starts[line]);
  const endColumn = Math.max(column + 1, Math.min(to, lineEnd) - lineStart + 1);
  return { file: file.name, line, column, endColumn, frame: codeFrame(file.text, line, column, endColumn) };
}

/** The line, from 1, that a place of this source's own text stands on. */
export function lineAt(source: SourceFile, offset: number): number {
  return lineOf(lineStarts(source), offset);
}

/** Offset of a line and column, both from 1, in this source's own text. */
export function offsetOf(source: SourceFile, line: number, column: number): number {
  return (lineStarts(source)[line - 1] ?? source.text.length) + column - 1;
}

const startsBySource = new WeakMap<SourceFile, readonly number[]>();

function lineStarts(source: SourceFile): readonly number[] {
  const found = startsBySource.get(source);
  if (found !== undefined) return found;
  const starts = [0];
  for (let at = source.text.indexOf('\n'); at !== -1; at = source.text.indexOf('\n', at + 1)) starts.push(at + 1);
  startsBySource.set(source, starts);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function endOfLine(text: string, nextStart: number | undefined): number {
  if (nextStart === undefined) return text.length;
  return text[nextStart - 2] === '\r' ? nextStart - 2 : nextStart - 1;
}
