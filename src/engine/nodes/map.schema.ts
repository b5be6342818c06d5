import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, u32 } from '../../workflow/schema-parts.ts';
import type { CheckedNode, NodeProblem } from '../../types/node-problem.ts';
import type { MapKeys } from '../../types/definitions/node-keys.ts';

/** The keys of a `map` node. */
export const mapSchema = strictTable(
  {
    items_from: contextPath('Where the array is found.'),
    workflow: text('Workflow file run for each element, relative to the scenario file.'),
    max_items: u32('Most elements accepted.'),
    start: Type.Optional(text("One of the child's start nodes; left out: its first.")),
    max_concurrent: Type.Optional(u32('How many elements overlap; default 4.')),
  },
  'Runs a workflow for each element of an array: {results, ok}; branch `error` when any failed.',
);

/** Bounds above 0, and a workflow to run. */
export function checkMap({ maxItems, maxConcurrent, workflow }: MapKeys, { id }: CheckedNode): readonly NodeProblem[] {
  const problems: NodeProblem[] = [];
  if (maxItems === 0) {
    problems.push({
      code: 'map_zero_max_items',
      message: `Node "${id}" accepts no elements: max_items is 0.`,
      at: ['max_items'],
      hint: 'Set max_items to at least 1.',
    });
  }
  if (maxConcurrent === 0) {
    problems.push({
      code: 'map_zero_concurrency',
      message: `Node "${id}" can run no element: max_concurrent is 0.`,
      at: ['max_concurrent'],
      hint: 'Set max_concurrent to at least 1, or leave it out for 4.',
    });
  }
  if (workflow.trim() === '') {
    problems.push({
      code: 'map_empty_workflow',
      message: `Node "${id}" names no workflow to run.`,
      at: ['workflow'],
      hint: 'Name a workflow file.',
    });
  }
  return problems;
}
