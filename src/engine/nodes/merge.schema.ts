import { strictTable } from '../../workflow/schema-parts.ts';

/** A `merge` node has no keys of its own. */
export const mergeSchema = strictTable({}, 'A named place where paths meet; output null.');
