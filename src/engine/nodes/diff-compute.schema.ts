import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `diff_compute` node. */
export const diffComputeSchema = strictTable(
  {
    left_from: contextPath('The value before.'),
    right_from: contextPath('The value after.'),
  },
  'Compares two values: {added, removed, changed, unchanged}.',
);
