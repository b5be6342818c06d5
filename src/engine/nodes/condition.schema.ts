import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `condition` node. */
export const conditionSchema = strictTable(
  { expr: contextPath('The value that decides; missing counts as null.') },
  'Branches `true` or `false` by whether a value is empty, zero, null or false: {value}.',
);
