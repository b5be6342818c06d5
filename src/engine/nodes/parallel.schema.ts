import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text } from '../../workflow/schema-parts.ts';

const branch = strictTable(
  {
    workflow: text("The child's workflow file, relative to the scenario file."),
    input_from: Type.Optional(contextPath("The child's trigger input; left out: this run's own.")),
    start: Type.Optional(text("One of the child's start nodes; left out: its first.")),
  },
  'One child.',
);

/** The keys of a `parallel` node. */
export const parallelSchema = strictTable(
  { branches: Type.Array(branch, { description: 'The children, all run at once; results keep this order.' }) },
  'Runs several workflows at once: {results, ok}; branch `error` when any failed.',
);
