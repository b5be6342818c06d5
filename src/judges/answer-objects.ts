import { parseJsonDocument } from '../source/json-document.ts';
import { visibleText } from '../text/visible-text.ts';
import type { JsonObject } from '../types/json.ts';

/** Why an answer of a judge is no verdict. */
export type VerdictProblem =
  | 'empty' // nothing was said
  | 'too_long' // more than any verdict takes
  | 'unfinished' // an object that is never closed: the answer was cut
  | 'no_verdict' // no object, or none with the mark and the keys that were asked for
  | 'contradictory' // several objects, or criteria, that say different things
  | 'no_criteria' // an empty list: it decides nothing
  | 'missing_criterion' // a criterion without a verdict
  | 'double_criterion' // a criterion with two
  | 'wrong_value'; // a verdict that is none of those to choose from

/** An answer that gives no verdict: an error of the harness, never a pass nor a fail. */
export interface UnreadableVerdict {
  readonly ok: false;
  /** What is wrong with the judge's answer. */
  readonly problem: VerdictProblem;
  /** What is wrong with it, one sentence. */
  readonly message: string;
}

export type AnswerObject = { readonly ok: true; readonly object: JsonObject } | UnreadableVerdict;

/** No verdict is longer, reasons included. */
const LONGEST = 65_536;
/** Objects that are looked at; prose may have braces of its own. */
const MOST_OBJECTS = 64;
/** Characters of an answer without a verdict that a message repeats. */
const SHOWN = 80;

/**
 * The one JSON object of a judge's answer that carries the mark of the question: bare, in a fence or within prose. What
 * the judge quotes from the subject has no mark, so that it is never taken for a verdict.
 */
export function answerObject(text: string, mark: string): AnswerObject {
  if (text.trim() === '') return unreadable('empty', 'The judge said nothing.');
  if (text.length > LONGEST) {
    return unreadable('too_long', `The answer has ${text.length} characters; a verdict has at most ${LONGEST}.`);
  }
  const { texts, isUnfinished } = objectTexts(text);
  if (isUnfinished) return unreadable('unfinished', 'A JSON object of the answer is never closed.');
  let object: JsonObject | null = null;
  for (const one of new Set(texts.filter((candidate) => candidate.includes(mark)))) {
    const parsed = parseJsonDocument({ path: '<memory>', name: 'answer', text: one });
    if (!parsed.ok) {
      const { code = '', message = '' } = parsed.issues[0] ?? {};
      return unreadable(code === 'duplicate_key' ? 'contradictory' : 'no_verdict', message);
    }
    if (parsed.document.data['mark'] !== mark) continue;
    if (object !== null) return unreadable('contradictory', 'The answer gives several verdicts that differ.');
    object = parsed.document.data;
  }
  if (object === null) {
    const start = visibleText(text.trim(), { longest: SHOWN });
    return unreadable(
      'no_verdict',
      `No JSON object of the answer has the mark of the question; it begins with "${start}".`,
    );
  }
  return { ok: true, object };
}

export function unreadable(problem: VerdictProblem, message: string): UnreadableVerdict {
  return { ok: false, problem, message };
}

/** Texts of the outermost objects. A brace opens one where a quote or a brace follows it, as in JSON. */
function objectTexts(text: string): { readonly texts: readonly string[]; readonly isUnfinished: boolean } {
  const texts: string[] = [];
  let at = 0;
  while (texts.length < MOST_OBJECTS) {
    OPENING.lastIndex = at;
    const found = OPENING.exec(text);
    if (found === null) return { texts, isUnfinished: false };
    const end = closingBrace(text, found.index);
    if (end === -1) return { texts, isUnfinished: true };
    texts.push(text.slice(found.index, end + 1));
    at = end + 1;
  }
  // More objects than any answer has: what the last of them say is not known.
  return { texts, isUnfinished: true };
}

const OPENING = /\{(?=\s*["{}])/g;

/** Where an object that opens at a place is closed; -1: nowhere. */
function closingBrace(text: string, opening: number): number {
  let depth = 0;
  let isInside = false;
  for (let at = opening; at < text.length; at++) {
    const character = text[at];
    if (isInside && character === '\\') at++;
    else if (character === '"') isInside = !isInside;
    else if (!isInside && character === '{') depth++;
    else if (!isInside && character === '}') {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}
