import { strictTable } from '../../workflow/schema-parts.ts';

/** A `terminate` node has no keys of its own. */
export const terminateSchema = strictTable({}, 'Ends the run as completed, with the final value null.');
