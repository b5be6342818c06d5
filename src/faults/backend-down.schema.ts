import { strictTable } from '../workflow/schema-parts.ts';

/** `backend_down` has no settings. */
export const backendDownSchema = strictTable({}, 'No settings.');
