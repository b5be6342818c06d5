import type { Command } from 'commander';
import { addModelFlags, type LiveFlags, liveOptions } from '../live-flags.ts';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from '../permission-flags.ts';
import { addSelectFlags, type SelectFlags, selectOptions } from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface ValidateFlags extends SelectFlags, PermissionFlags, LiveFlags {
  readonly json?: true;
}

/** Adds `passk validate`: all problems of all files, and nothing run. */
export function addValidate(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('validate')
    .summary('check scenario files without running them')
    .description('Checks scenario files without running them; prints every problem with its file, line and column.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)');
  addPermissionFlags(command);
  addModelFlags(command);
  addSelectFlags(command)
    .option('--json', 'print the problems as JSON')
    .action(async (paths: readonly string[], flags: ValidateFlags) => done(await validate(paths, flags, terminal)));
}

async function validate(paths: readonly string[], flags: ValidateFlags, terminal: Terminal): Promise<number> {
  const { loadSuite, printIssues } = await import('../../index.ts');
  const { files, issues } = await loadSuite({
    ...selectOptions(paths, flags),
    ...permissionOptions(flags),
    ...(await liveOptions(flags)),
  });
  const errors = issues.filter((issue) => issue.severity === 'error').length;
  const warnings = issues.length - errors;
  const color = flags.color && terminal.color;
  if (flags.json === true) terminal.printJson({ files, errors, warnings, issues });
  else if (issues.length > 0) terminal.print(printIssues(issues, { color }), { color });
  else if (files.length > 0)
    terminal.print(`${files.length === 1 ? '1 file' : `${files.length} files`}: no problems.\n`);
  else terminal.print('No scenario files were found.\n');
  return errors > 0 || files.length === 0 ? 2 : 0;
}
