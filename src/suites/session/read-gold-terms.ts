import type { StateValue } from '../../types/value-test.ts';
import { compileGold } from '../../checks/compile-gold.ts';
import { compileJsonSchema } from '../../engine/compile-json-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { GoldCallTerms, GoldExpectation } from '../../types/recordings/gold-expectation.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ToolCall } from '../../types/session.ts';
import { tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { argumentMatchOf, readGold } from '../gold-keys.ts';
import { readOneTest } from './read-one-test.ts';

/** How the calls of a trial are compared with the gold ones of a task; null: they are not. */
export function readGoldTerms(
  gold: JsonObject,
  calls: readonly ToolCall[],
  { at, report }: { readonly at: Pointer; readonly report: Report },
): GoldExpectation | null {
  const own = tablesAt(gold, 'calls').map(({ table, index }) =>
    readCallTerms(table, { at: [...at, 'calls', index], report }),
  );
  const saysSo = own.some(({ args, where }) => args !== undefined || where.length > 0);
  if (!saysSo && Object.keys(gold).every((key) => key === 'calls')) return null;
  const terms = { ...readGold(gold), ...(saysSo && { calls: own }) };
  if (saysSo) tellContradictions(calls, terms, { at, report });
  return terms;
}

function readCallTerms(
  call: JsonObject,
  { at, report }: { readonly at: Pointer; readonly report: Report },
): GoldCallTerms {
  const how = valueAt(call, 'match_args');
  const where = tablesAt(call, 'where').flatMap(({ table, index }): readonly StateValue[] => {
    const test = readOneTest(table, [...at, 'where', index], report);
    return test === null ? [] : [{ at: textAt(table, 'at') ?? '', test }];
  });
  return { ...(how !== undefined && { args: argumentMatchOf(how) }), where };
}

/** A gold call is carried out with its own arguments: where they fail its tests, it would not be right itself. */
function tellContradictions(
  calls: readonly ToolCall[],
  terms: GoldExpectation,
  { at, report }: { readonly at: Pointer; readonly report: Report },
): void {
  for (const [index, { name, args, fits }] of compileGold(terms, compileJsonSchema)(calls).entries()) {
    if (fits === undefined || fits(args)) continue;
    report({
      code: 'gold_contradicts',
      message: `The arguments of this gold call of ${name} do not pass its own tests.`,
      at: [...at, 'calls', index, 'where'],
      hint: 'Gold calls are carried out with their args: give them values that the tests allow.',
    });
  }
}
