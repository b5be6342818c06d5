import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, u32 } from '../../workflow/schema-parts.ts';

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
