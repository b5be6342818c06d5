import type { Command } from 'commander';
import { addRunFlags, type RunFlags } from '../run-flags.ts';
import { runAndReport } from '../run-and-report.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Paths are files, folders or globs; bare paths mean \`run\`.

Examples:
  passk scenarios --trials 1000
  passk run 'suites/**/*.toml' --tag security --min-pass-rate 0.95
  passk refund.toml --reporter json:report.json --reporter reference-json:reference.json
  passk run scenarios --live --record run.cassette
  passk run scenarios --replay run.cassette`;

/** Adds `passk run`: scenarios and contracts in, report on stdout, verdict as exit code. */
export function addRun(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('run')
    .summary('run scenarios and report (the default command)')
    .description('Runs scenarios and contracts on all cores and prints a report; the exit code is the verdict.');
  addRunFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: RunFlags) =>
      done(await runAndReport(paths, flags, { terminal, verb: ['run'] })),
    );
}
