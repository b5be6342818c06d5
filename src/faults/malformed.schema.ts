import { strictTable } from '../workflow/schema-parts.ts';

/** `malformed` has no settings. */
export const malformedSchema = strictTable({}, 'No settings.');
