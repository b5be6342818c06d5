import type { SourceDocument } from '../source/toml-document.ts';
import type { Pointer } from '../source/toml-positions.ts';
import type { Contract } from '../types/contract.ts';
import type { Issue } from '../types/issue.ts';
import type { WorkflowScenario } from '../types/scenario.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../workflow/raw-data.ts';
import { toIssue } from '../workflow/report.ts';
import { isUnread } from './unread-attacks.ts';

/** Warns of attacks on a workflow that no answer can depend on; a live model would read them. */
export const UNREAD_ATTACK = 'unread_attack';

/** One warning for each column whose attacks nobody reads, as long as the written turns answer for the model. */
export function checkAttacks(
  document: SourceDocument,
  contracts: readonly Contract[],
  workflow: WorkflowScenario | undefined,
): readonly Issue[] {
  if (workflow === undefined) return [];
  return contracts.flatMap(({ matrix }) =>
    matrix.flatMap(({ name, contextAttacks }) => {
      const unread = [
        ...new Set(contextAttacks.filter((attack) => isUnread(attack, workflow)).map(({ type }) => type)),
      ];
      if (unread.length === 0) return [];
      const found = {
        code: UNREAD_ATTACK,
        severity: 'warning',
        message: `Nothing reads what ${unread.join(' and ')} put${unread.length === 1 ? 's' : ''} into column "${name}": the model answers from written turns, whatever it is asked, and no other step looks at it.`,
        at: placeOf(document, name),
        hint: 'Run it with --live or a function as the model; without them the column proves nothing by these attacks.',
      } as const;
      return [toIssue(found, document.locate)];
    }),
  );
}

/** The attacks of a column where they are written; else what names them. */
function placeOf({ data }: SourceDocument, name: string): Pointer {
  const contract = tableAt(data, 'contract');
  const holders: readonly (readonly [typeof data, Pointer])[] = [
    [contract, ['contract']],
    [data, []],
  ];
  for (const [holder, at] of holders) {
    for (const { index, table } of tablesAt(holder, 'chaos_matrix')) {
      if ((textAt(table, 'name') ?? textAt(table, 'profile')) !== name) continue;
      const place = [...at, 'chaos_matrix', index];
      return valueAt(table, 'context_attacks') === undefined ? place : [...place, 'context_attacks'];
    }
  }
  return ['chaos'];
}
