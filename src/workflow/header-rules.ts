import type { JsonObject } from '../types/json.ts';
import type { NodeProblem } from '../types/node-problem.ts';
import { isBadSecretName } from '../values/secret-names.ts';
import { textAt } from './raw-data.ts';

const HEADER_NAME = /^[A-Za-z0-9_-]+$/;

export interface DeclaredHeaders {
  /** Begins the sentence: `Node "a"`. */
  readonly owner: string;
  readonly headers: JsonObject;
}

/** Header names and values that could change the request around them; places count from the table of headers' owner. */
export function headerProblems({ owner, headers }: DeclaredHeaders): readonly NodeProblem[] {
  return Object.keys(headers).flatMap((name) => {
    const at = ['headers', name];
    const value = textAt(headers, name) ?? '';
    const problems: NodeProblem[] = [];
    if (!HEADER_NAME.test(name)) {
      problems.push({
        code: 'http_header_bad_name',
        message: `${owner}: ${JSON.stringify(name)} is not a header name.`,
        at,
        part: 'key',
        hint: 'Use letters, digits, - and _ only.',
      });
    }
    if (/[\r\n]/.test(value)) {
      problems.push({
        code: 'http_header_crlf',
        message: `${owner}: the value of header "${name}" has a line break.`,
        at,
        hint: 'Keep header values on one line.',
      });
    }
    const placeholders = badPlaceholders(value).map((bad) => ({
      code: 'http_header_bad_placeholder',
      message: `${owner}: header "${name}" has ${bad}.`,
      at,
      hint: 'Headers know {{secret:NAME}} only.',
    }));
    return [...problems, ...placeholders];
  });
}

function badPlaceholders(value: string): readonly string[] {
  const bad: string[] = [];
  for (let from = value.indexOf('{{'); from !== -1; ) {
    const end = value.indexOf('}}', from + 2);
    if (end === -1) return [...bad, 'a "{{" without "}}"'];
    const inside = value.slice(from + 2, end).trim();
    if (!inside.startsWith('secret:') || isBadSecretName(inside.slice('secret:'.length).trim())) {
      bad.push(`the unknown placeholder "{{${inside}}}"`);
    }
    from = value.indexOf('{{', end + 2);
  }
  return bad;
}
