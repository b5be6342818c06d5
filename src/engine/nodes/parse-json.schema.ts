import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `parse_json` node. */
export const parseJsonSchema = strictTable(
  { input_from: contextPath('Where the text is found.') },
  'Turns JSON text into a value: {parsed}.',
);
