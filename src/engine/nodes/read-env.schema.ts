import { strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `read_env` node. */
export const readEnvSchema = strictTable(
  { key: text('Name of the environment variable, literally.') },
  'Reads an environment variable: {key, value}, or {key, value: null, missing: true}.',
);
