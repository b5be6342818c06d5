import type { Command } from 'commander';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

/** Adds `passk validate`: prints all problems of all files. Runs nothing. */
export function addValidate(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('validate')
    .summary('check scenario files without running them')
    .description('Checks scenario files without running them; prints every problem with its file, line and column.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .action(async (paths: readonly string[], _, command: Command) =>
      done(await validate(paths, settingsOf(command), terminal)),
    );
}

async function validate(paths: readonly string[], settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { loadSuite, printIssues } = await import('../../public/suites.ts');
  const { files, issues, scenarios, definitions } = await loadSuite(await runOptions(paths, settings, terminal));
  const isAny = scenarios.length + definitions.length > 0;
  const errors = issues.filter((issue) => issue.severity === 'error').length;
  const warnings = issues.length - errors;
  const color = settings.color !== false && terminal.color;
  if (settings.json === true) terminal.printJson({ files, errors, warnings, issues });
  else if (issues.length > 0) terminal.print(printIssues(issues, { color }), { color });
  else if (files.length > 0 && isAny)
    terminal.print(`${files.length === 1 ? '1 file' : `${files.length} files`}: no problems.\n`);
  else if (files.length === 0) terminal.print('No scenario files were found.\n');
  // As in a run: what a filter leaves out was not checked.
  if (files.length > 0 && !isAny && errors === 0) terminal.say('No name or tag matches.');
  return errors > 0 || !isAny ? 2 : 0;
}
