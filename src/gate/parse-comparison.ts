import { GATE_OPERATORS, type GateOperator } from '../types/reports/gate.ts';
import { gateNumber } from './gate-number.ts';
import type { GateScanner, Word } from './gate-scanner.ts';
import { problem } from './gate-stop.ts';

/** The second half of a gate. */
export interface Comparison {
  readonly operator: GateOperator;
  readonly value: number;
  /** The value as written. */
  readonly place: Word;
}

/** Reads `operator value`, white space around both. */
export function parseComparison(scanner: GateScanner): Comparison {
  scanner.skip();
  const operator = readOperator(scanner);
  scanner.skip();
  const value = readValue(scanner);
  scanner.skip();
  return { operator, ...value };
}

/** What people write for an operator that gates have. */
const MEANT: Readonly<Record<string, GateOperator>> = {
  '=>': '>=',
  '=<': '<=',
  '=': '==',
  '===': '==',
  '≥': '>=',
  '≤': '<=',
};

function readOperator(scanner: GateScanner): GateOperator {
  const word = scanner.run((character) => '<>=!≥≤~'.includes(character));
  const operator = GATE_OPERATORS.find((one) => one === word.text);
  if (operator !== undefined) return operator;
  const meant = Object.hasOwn(MEANT, word.text) ? MEANT[word.text] : undefined;
  if (word.text === '') {
    const rest = scanner.rest();
    const message =
      rest.text === '' ? 'The comparison is missing.' : `A comparison should stand before "${rest.text}".`;
    throw problem('unknown_operator', message, rest, { candidates: GATE_OPERATORS });
  }
  throw problem('unknown_operator', `There is no comparison "${word.text}".`, word, {
    candidates: GATE_OPERATORS,
    ...(meant === undefined ? {} : { hint: `Write ${meant}.` }),
  });
}

function readValue(scanner: GateScanner): { readonly value: number; readonly place: Word } {
  const from = scanner.at;
  scanner.run((character) => character.trim() !== '' && character !== '%');
  const digitsEnd = scanner.at;
  scanner.skip();
  const to = scanner.take('%') ? scanner.at : digitsEnd;
  const rest = scanner.rest();
  const text = scanner.slice(from, to);
  const value = gateNumber(text);
  const place = { text, from, to };
  if (value !== null) return { value, place };
  const message = text === '' ? 'The value to compare with is missing.' : `"${text}" is no number.`;
  throw problem('bad_value', message, text === '' ? rest : place, {
    hint: 'Write a number such as 0.95, 95% or 2000.',
  });
}
