import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `read_file` node. */
export const readFileSchema = strictTable(
  { path_from: contextPath('Where the path of the file is found.') },
  'Reads a text file: {path, content, bytes}.',
);
