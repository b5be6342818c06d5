import { Type } from '../../source/schema-type.ts';
import { contextPath, count, strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `shell_run` node. */
export const shellRunSchema = strictTable(
  {
    command: text('Absolute path of the program; it is run without a shell.'),
    args_from: Type.Optional(contextPath('Where the list of arguments is found; left out: none.')),
    timeout_secs: Type.Optional(count('Seconds until the program is stopped; default 30.')),
  },
  'Runs a program: {command, args, exit_code, stdout, stderr, …}; branch `error` when it fails.',
);
