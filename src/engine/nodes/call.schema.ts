import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `call` node. */
export const callSchema = strictTable(
  {
    workflow: text("The child's workflow file, relative to the scenario file."),
    input_from: Type.Optional(contextPath("The child's trigger input; left out: this run's own.")),
    start: Type.Optional(text("One of the child's start nodes; left out: its first.")),
  },
  'Runs another workflow: {result}; branch `error` with {error} when it fails.',
);
