import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Contract } from '../../types/contract.ts';
import { type Issue, UNREAD_ATTACK } from '../../types/issue.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { toIssue } from '../../workflow/report.ts';
import type { BoundWorkflow } from './check-tool-names.ts';
import { isUnreadAttack, isUnreadFault } from './unread-attacks.ts';

/** One warning for each column with something that nobody reads, as long as the written turns answer for the model. */
export function checkAttacks(
  document: SourceDocument,
  contracts: readonly Contract[],
  { workflow, nodeTypeOf }: BoundWorkflow,
): readonly Issue[] {
  if (workflow === undefined) return [];
  return contracts.flatMap(({ matrix }) =>
    matrix.flatMap(({ name, toolFaults, contextAttacks }) => {
      const faults = toolFaults.filter((fault) => isUnreadFault(fault, workflow, nodeTypeOf)).map(({ mode }) => mode);
      const attacks = contextAttacks
        .filter((attack) => isUnreadAttack(attack, workflow, nodeTypeOf))
        .map(({ type }) => type);
      const unread = [...new Set([...faults, ...attacks])];
      if (unread.length === 0) return [];
      const found = {
        code: UNREAD_ATTACK,
        severity: 'warning',
        message: `Nothing reads what ${unread.join(' and ')} put${unread.length === 1 ? 's' : ''} into column "${name}": the model answers from written turns, whatever it is asked, and no other step looks at it.`,
        at: placeOf(document, name, attacks.length > 0 ? 'context_attacks' : 'tool_faults'),
        hint: 'Run it with --live or a function as the model; without them the column proves nothing by what it declares there.',
      } as const;
      return [toIssue(found, document.locate)];
    }),
  );
}

/** What a column declares where it is written; else what names them. */
function placeOf({ data }: SourceDocument, name: string, key: string): Pointer {
  const contract = tableAt(data, 'contract');
  const holders: readonly (readonly [typeof data, Pointer])[] = [
    [contract, ['contract']],
    [data, []],
  ];
  for (const [holder, at] of holders) {
    for (const { index, table } of tablesAt(holder, 'chaos_matrix')) {
      if ((textAt(table, 'name') ?? textAt(table, 'profile')) !== name) continue;
      const place = [...at, 'chaos_matrix', index];
      return valueAt(table, key) === undefined ? place : [...place, key];
    }
  }
  return ['chaos'];
}
