import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `switch` node. */
export const switchSchema = strictTable(
  { expr: contextPath('The value whose text becomes the branch label; missing counts as null.') },
  "Branches by a value's text: {value}.",
);
