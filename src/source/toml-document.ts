import { TomlError } from 'smol-toml';
import type { Issue, Location } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import { NO_ITEMS } from '../values/empty.ts';
import { messageOf } from '../values/message-of.ts';
import { locationAt, offsetOf } from './location-at.ts';
import { MAX_NESTING, parseTables, plainToml } from './plain-toml.ts';
import type { SourceFile } from './source-file.ts';
import { syntaxHint } from './syntax-hint.ts';
import { type Pointer, type Range, type TomlPositions, tomlPositions } from './toml-positions.ts';
import { scanToml } from './toml-scan.ts';
import { tomlToJson, tooDeep } from './toml-to-json.ts';

/** Data and the places in the source it came from. */
export interface SourceDocument {
  readonly source: SourceFile;
  readonly data: JsonObject;
  /** The place of a value (or its key); of its nearest ancestor when there is no such value. */
  locate(pointer: Pointer, part?: 'key' | 'value'): Location;
  /** The same as offsets in the text of `source`. */
  range(pointer: Pointer, part?: 'key' | 'value'): Range;
}

/** What parsing one text gave. */
export type ParseResult =
  | { readonly ok: true; readonly document: SourceDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses TOML 1.1 into plain JSON data: date-times become tagged tables, `inf` and `nan` null. Throws nothing. */
export function parseToml(source: SourceFile): ParseResult {
  let known: TomlPositions | undefined;
  const positions = (): TomlPositions => {
    known ??= tomlPositions(source.text);
    return known;
  };
  const read = source.known ? { data: source.known.data, issues: NO_ITEMS } : readText(source, positions);
  if (read.issues.length > 0) return { ok: false, issues: read.issues };
  const range = (pointer: Pointer, part: 'key' | 'value' = 'value'): Range => positions().range(pointer, part);
  const locate = (pointer: Pointer, part: 'key' | 'value' = 'value'): Location =>
    locationAt(source, ...range(pointer, part));
  return { ok: true, document: { source, data: read.data, locate, range } };
}

/** What the text says, or what is wrong with it. */
function readText(
  source: SourceFile,
  positions: () => TomlPositions,
): { readonly data: JsonObject; readonly issues: readonly Issue[] } {
  let parsed: object;
  try {
    parsed = parseTables(source.text);
  } catch (error) {
    return { data: {}, issues: [nestingIssue(source) ?? syntaxIssue(source, error)] };
  }
  const data = plainToml(parsed);
  if (data !== null) return { data, issues: NO_ITEMS };
  const nesting = nestingIssue(source);
  return nesting === null ? tomlToJson(parsed, source, positions) : { data: {}, issues: [nesting] };
}

/** What nests too deeply is told before all else, and only that. */
function nestingIssue(source: SourceFile): Issue | null {
  const { tooDeepAt } = scanToml(source.text, { depth: MAX_NESTING, stringLength: Number.POSITIVE_INFINITY });
  return tooDeepAt === null ? null : tooDeep(locationAt(source, tooDeepAt));
}

function syntaxIssue(source: SourceFile, error: unknown): Issue {
  if (!(error instanceof TomlError)) {
    const message = `The text cannot be parsed: ${messageOf(error)}.`;
    return { code: 'toml_syntax', severity: 'error', message, at: locationAt(source, 0) };
  }
  // The parser's message carries a prefix and its own code frame.
  const reason = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)[0] ?? '';
  const offset = offsetOf(source, error.line, error.column);
  const advice = syntaxHint(source.text, offset);
  const message = `This is not valid TOML: ${advice?.reason ?? reason}.`;
  const issue: Issue = { code: 'toml_syntax', severity: 'error', message, at: locationAt(source, offset) };
  return advice === null ? issue : { ...issue, hint: advice.hint };
}
