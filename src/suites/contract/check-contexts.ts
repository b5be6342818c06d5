import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Workflow } from '../../types/workflow.ts';
import { tableAt, tablesAt, textAt, textsAt } from '../../workflow/raw-data.ts';
import { type Report, toIssue } from '../../workflow/report.ts';

/**
 * Contexts of invariants `faithful` that the subject of a contract does not have: outputs of nodes are those of a workflow;
 * documents, tools and a user are those of any other subject. `workflow` undefined: the subject is none.
 */
export function checkContexts(document: SourceDocument, workflow: Workflow | undefined): readonly Issue[] {
  const { data } = document;
  const issues: Issue[] = [];
  const report: Report = (found) => issues.push(toIssue(found, document.locate));
  for (const [at, holder] of [[[], data] as const, [['contract'], tableAt(data, 'contract')] as const]) {
    for (const { index, table } of tablesAt(holder, 'invariants')) {
      if (textAt(table, 'type') !== 'faithful') continue;
      const place = [...at, 'invariants', index];
      if (workflow === undefined) checkAgent(table, place, report);
      else checkWorkflow(table, place, { workflow, report });
    }
  }
  return issues;
}

function checkAgent(table: JsonObject, at: Pointer, report: Report): void {
  if (!Object.hasOwn(table, 'nodes')) return;
  report({
    code: 'not_allowed',
    message: 'Only workflows have nodes.',
    at: [...at, 'nodes'],
    part: 'key',
    hint: 'Name `documents`, `tools` or `texts`; without them all documents and results of all tools are contexts.',
  });
}

function checkWorkflow(
  table: JsonObject,
  at: Pointer,
  { workflow, report }: { readonly workflow: Workflow; readonly report: Report },
): void {
  const hint = 'Name the nodes whose outputs support an answer under `nodes`, or write `texts`.';
  for (const key of ['documents', 'tools', 'user'].filter((one) => Object.hasOwn(table, one))) {
    report({
      code: 'not_allowed',
      message: `A workflow has no contexts under "${key}".`,
      at: [...at, key],
      part: 'key',
      hint,
    });
  }
  const ids = workflow.nodes.map(({ id }) => id);
  for (const [position, id] of textsAt(table, 'nodes').entries()) {
    if (ids.includes(id)) continue;
    report({
      code: 'unknown_node',
      message: `There is no node "${id}" in workflow "${workflow.name}".`,
      at: [...at, 'nodes', position],
      hint: hintFor(id, ids, 'nodes'),
    });
  }
  if (textsAt(table, 'nodes').length + textsAt(table, 'texts').length > 0) return;
  report({ code: 'missing_key', message: 'Nothing here could support an answer.', at, hint });
}
