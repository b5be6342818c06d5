import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `write_file` node. */
export const writeFileSchema = strictTable(
  {
    path_from: contextPath('Where the path of the file is found.'),
    content_from: contextPath('What is written: text as it is, anything else as compact JSON.'),
  },
  'Writes a file, with its folders: {path, bytes, written}.',
);
