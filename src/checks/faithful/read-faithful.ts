import type { FaithfulExpectation } from '../../types/faithfulness/faithful-expectation.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';

/** The table `faithful` of a table of expectations; nothing where it has none. */
export function readFaithful(table: JsonObject): { readonly faithful?: FaithfulExpectation } {
  if (!Object.hasOwn(table, 'faithful')) return {};
  return { faithful: faithfulOf(tableAt(table, 'faithful')) };
}

/** What a table says of contexts. */
export function faithfulOf(faithful: JsonObject): FaithfulExpectation {
  const isOpen = ['documents', 'tools', 'texts', 'nodes'].every((key) => !Object.hasOwn(faithful, key));
  const [judge, minScore] = [textAt(faithful, 'judge'), numberAt(faithful, 'min_score')];
  return {
    ...(judge !== undefined && { judge }),
    documents: allOrNamed(faithful, 'documents', isOpen),
    tools: allOrNamed(faithful, 'tools', isOpen),
    nodes: textsAt(faithful, 'nodes'),
    texts: textsAt(faithful, 'texts'),
    user: faithful['user'] === true,
    ...(minScore !== undefined && { minScore }),
    minClaims: numberAt(faithful, 'min_claims') ?? 1,
  };
}

function allOrNamed(table: JsonObject, key: string, unsaid: boolean): readonly string[] | boolean {
  const value = valueAt(table, key);
  return typeof value === 'boolean' ? value : Array.isArray(value) ? textsAt(table, key) : unsaid;
}
