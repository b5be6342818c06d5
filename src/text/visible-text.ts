import { isPlain } from './characters.ts';
import { shortenDataUris } from './data-uris.ts';
import { hideCredentials } from './hide-credentials.ts';

/**
 * Runners of GitHub (`##[…]`), Azure (`##vso[…]`) and TeamCity obey such a command wherever it stands in a line. Colours
 * inside it are gone before some of them look.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COMMAND_INSIDE = /#(?=(?:\u001b\[\d+m)*#(?:\u001b\[\d+m|\w)*\[)/g;

/** The runner of GitHub obeys `::name::` at the start of a line, after any blanks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours may stand before it
const COMMAND_AT_START = /^((?:\s|\u001b\[\d+m)*):(?=(?:\u001b\[\d+m)*:)/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours may stand between them
const TWO_COLONS = /:(?:\u001b\[\d+m)*:/;

/** The styles that passk itself paints with; see `report/text-style.ts` and `source/print-issue.ts`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
const OWN_STYLE = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;

/** Longer texts in the middle of a message are nothing that people wrote, and nothing that people read. */
const LONGEST = 2048;
/** The same for a whole message. */
export const LONGEST_MESSAGE = 8192;

/** How a tab is shown where text keeps its layout. */
export const TAB = '  ';

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from files, models, servers and tools as one line that nothing obeys: unsafe characters and commands of CI runners
 * are shown as escapes, passwords in URLs are starred out, data URIs are shortened, and what is longer than `longest` (2,048)
 * is cut.
 */
export function visibleText(text: string, { longest = LONGEST }: { readonly longest?: number } = {}): string {
  const hidden = hideCredentials(shortenDataUris(text));
  const cut = hidden.length > longest ? `${hidden.slice(0, longest)}…` : hidden;
  const commandless = withoutInsideCommands(cut);
  // The patterns find nothing in a plain text, and take long to be compiled.
  return isPlain(commandless) ? commandless : replaceUnsafe(withFewMarks(commandless), shownUnlessJoining);
}

/**
 * The one list of characters that text from elsewhere must not bring along: controls, breaks of lines, lone surrogates,
 * and what Unicode says is shown as nothing (marks that reorder or hide text, tags, fillers). Patterns with properties of
 * Unicode stand where they are used: making them takes a part of each start.
 */
function replaceUnsafe(text: string, shown: (character: string, offset: number, text: string) => string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu, shown);
}

/** More marks on one letter than any writing has: the rest is dropped, as it would cover the lines around it. */
function withFewMarks(text: string): string {
  return text.replace(/(\p{M}{4})\p{M}+/gu, '$1');
}

/** How text of several lines is shown. */
export interface LinesOptions {
  /** True: passk's own colours stay colours. */
  readonly styled?: boolean;
  /** Longer lines are cut; default: none is. */
  readonly longest?: number;
}

/** The same for text of several lines, which stay lines; tabs become blanks. */
export function visibleLines(
  text: string,
  { styled = false, longest = Number.POSITIVE_INFINITY }: LinesOptions = {},
): string {
  const visible = (part: string): string => visibleText(part.replaceAll('\t', TAB), { longest });
  return text
    .split(/\r?\n/)
    .map((line) => inertStart(styled ? styledParts(line, visible) : visible(line)))
    .join('\n');
}

/** JSON text without unsafe characters and commands of CI runners: they stand inside strings, where escapes mean the same. */
export function visibleJson(json: string): string {
  const commandless = withoutInsideCommands(json, jsonEscapeOf);
  // A report may have a hundred megabytes, nearly always of ASCII.
  if (!/[^\n\x20-\x7e]/.test(commandless)) return commandless;
  return replaceUnsafe(commandless, (character, offset) =>
    character === '\n' || joins(character, commandless, offset) ? character : jsonEscapeOf(character),
  );
}

/** Lines whose characters are safe already, without commands of CI runners. */
export function inertLines(text: string): string {
  const inside = withoutInsideCommands(text);
  return TWO_COLONS.test(inside) ? inside.split('\n').map(inertStart).join('\n') : inside;
}

function withoutInsideCommands(text: string, escaped = escapeOf): string {
  return text.includes('#') ? text.replace(COMMAND_INSIDE, escaped) : text;
}

function inertStart(line: string): string {
  return TWO_COLONS.test(line) ? line.replace(COMMAND_AT_START, (_, before: string) => before + escapeOf(':')) : line;
}

/** What is no command in any part may be one of several parts. */
function styledParts(line: string, visible: (part: string) => string): string {
  const parts = line.split(OWN_STYLE).map((part, index) => (index % 2 === 1 ? part : visible(part)));
  return parts.join('').replace(COMMAND_INSIDE, escapeOf);
}

function shownUnlessJoining(character: string, offset: number, text: string): string {
  return joins(character, text, offset) ? character : escapeOf(character);
}

/** Joiners and selectors belong to writing where they follow a character that they can act on. */
function joins(character: string, text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  if (/^[\u180b-\u180f\u200c\u200d]$/.test(character)) return before >= 0x300 && !isGeneralPunctuation(before);
  if (/^[\ufe00-\ufe0f]$/.test(character))
    return before >= 0x203c ? !isSelector(before) : /[#*\d©®]/.test(text[offset - 1] ?? '');
  // Ideographic variants: Japanese names need them.
  if (/^[\u{e0100}-\u{e01ef}]$/u.test(character)) return before >= 0x2e80 && text.charCodeAt(offset - 2) !== 0xdb40;
  return false;
}

function isGeneralPunctuation(unit: number): boolean {
  return unit >= 0x2000 && unit <= 0x206f;
}

function isSelector(unit: number): boolean {
  return unit >= 0xfe00 && unit <= 0xfe0f;
}

function escapeOf(character: string): string {
  return NAMED[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function jsonEscapeOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
