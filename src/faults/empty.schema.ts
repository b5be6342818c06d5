import { strictTable } from '../workflow/schema-parts.ts';

/** `empty` has no settings. */
export const emptySchema = strictTable({}, 'No settings.');
