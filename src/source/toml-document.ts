import { parse, TomlError } from 'smol-toml';
import type { Notation } from '../schema/notation.ts';
import type { Issue, Location } from '../types/issue.ts';
import type { JsonObject } from '../types/json.ts';
import { messageOf } from '../values/message-of.ts';
import { locationAt, offsetOf } from './location-at.ts';
import { TOML_NOTATION } from './notations.ts';
import type { SourceFile } from './source-file.ts';
import { syntaxHint } from './syntax-hint.ts';
import { type TomlPositions, tomlPositions } from './toml-positions.ts';
import type { Pointer, Range } from './place-tree.ts';
import { scanToml } from './toml-scan.ts';
import { MAX_NESTING, tomlToJson, tooDeep } from './toml-to-json.ts';

/** Data and the places in the source it came from. */
export interface SourceDocument {
  readonly source: SourceFile;
  readonly data: JsonObject;
  /** What problems of the data are told in. */
  readonly notation: Notation;
  /** The place of a value (or its key); of its nearest ancestor when there is no such value. */
  locate(pointer: Pointer, part?: 'key' | 'value'): Location;
  /** The code that stands there, in a document that a program made; absent: there is none anywhere. */
  codeAt?(pointer: Pointer): unknown;
  /** The same as offsets in the text of `source`. */
  range(pointer: Pointer, part?: 'key' | 'value'): Range;
}

/** What parsing one text gave. */
export type ParseResult =
  | { readonly ok: true; readonly document: SourceDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Parses TOML 1.1 into plain JSON data: date-times become tagged tables, `inf` and `nan` null. Throws nothing. */
export function parseToml(source: SourceFile): ParseResult {
  let positions: TomlPositions | undefined;
  const allPositions = (): TomlPositions => {
    positions ??= tomlPositions(source.text);
    return positions;
  };
  const read = readText(source, allPositions);
  if (read.issues.length > 0) return { ok: false, issues: read.issues };
  const range = (pointer: Pointer, part: 'key' | 'value' = 'value'): Range => allPositions().range(pointer, part);
  const locate = (pointer: Pointer, part: 'key' | 'value' = 'value'): Location =>
    locationAt(source, ...range(pointer, part));
  return { ok: true, document: { source, data: read.data, notation: TOML_NOTATION, locate, range } };
}

/** What the text says, or what is wrong with it. */
function readText(
  source: SourceFile,
  positions: () => TomlPositions,
): { readonly data: JsonObject; readonly issues: readonly Issue[] } {
  const read = readParsed(source, positions);
  if (read.issues.length === 0 && !read.isDeep) return read;
  // A text that nests too deeply has this problem alone: the parser gives up there.
  const { tooDeepAt } = scanToml(source.text, { depth: MAX_NESTING, stringLength: Number.POSITIVE_INFINITY });
  return tooDeepAt === null ? read : { data: {}, issues: [tooDeep(locationAt(source, tooDeepAt))] };
}

function readParsed(source: SourceFile, positions: () => TomlPositions): ReturnType<typeof tomlToJson> {
  try {
    return tomlToJson(parse(source.text, PARSING), source, positions);
  } catch (error) {
    return { data: {}, issues: [syntaxIssue(source, error)], isDeep: false };
  }
}

const PARSING = {
  integersAsBigInt: 'asNeeded',
  // Keys that could reach a prototype are refused later, with their places.
  unsafeKeyBehaviour: 'keep',
  // The parser recurses: it gives up before it exhausts the stack.
  maxDepth: MAX_NESTING + 1,
} as const;

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
