import { contextPath, strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `json_select` node. */
export const jsonSelectSchema = strictTable(
  {
    input_from: contextPath('The value to select from.'),
    path: text('Dotted path inside that value; empty selects all of it.'),
  },
  'Picks a part of a value: {value, found}.',
);
