import type { Command } from 'commander';
import { runAndReport } from '../run-and-report.ts';
import { settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

/** Help for the paths of commands that run suites. */
export const RUN_PATHS = 'scenario and contract files, folders or globs (default: the current folder)';

const EXAMPLES = `
Paths are files, folders or globs; bare paths mean \`run\`.

Examples:
  passk scenarios --trials 1000
  passk run 'suites/**/*.toml' --tag security --min-pass-rate 0.95
  passk refund.toml --reporter json:report.json --reporter reference-json:reference.json
  passk run scenarios --live --record run.cassette
  passk run scenarios --replay run.cassette`;

/** Adds `passk run`: runs scenarios and contracts. The report goes to stdout; the exit code is the verdict. */
export function addRun(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('run')
    .summary('run scenarios and report (the default command)')
    .description('Runs scenarios and contracts on all cores and prints a report; the exit code is the verdict.')
    .argument('[paths...]', RUN_PATHS)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _, command: Command) =>
      done(await runAndReport(paths, settingsOf(command), { terminal, verb: ['run'] })),
    );
}
