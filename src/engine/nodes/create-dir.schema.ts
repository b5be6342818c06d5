import { contextPath, strictTable } from '../../workflow/schema-parts.ts';

/** The keys of a `create_dir` node. */
export const createDirSchema = strictTable(
  { path_from: contextPath('Where the path of the folder is found.') },
  'Creates a folder and those above it: {path, created}.',
);
