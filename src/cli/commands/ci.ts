import type { Command } from 'commander';
import { runAndReport } from '../run-and-report.ts';
import { settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';
import { RUN_PATHS } from './run.ts';

const EXAMPLES = `
The overall score is from 0 to 1: the scores of the phases that ran, by the weights under scoring in their
files. A failed contract or scenario fails the run whatever the score is.

Examples:
  passk ci
  passk ci suites --min-score 0.9 --reporter junit:passk.xml`;

/** Adds `passk ci`: everything there is, with the overall score as a bar. */
export function addCi(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('ci')
    .summary('run scenarios and contracts, and hold their overall score to a bar')
    .description('Runs all scenarios and contracts; the exit code is the verdict, with --min-score (default: 0) in it.')
    .argument('[paths...]', RUN_PATHS)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _, command: Command) => {
      const settings = settingsOf(command);
      // A part of a run has no score; `merge` has the bar.
      const minScore = settings.shard === undefined ? { minScore: settings.minScore ?? 0 } : {};
      done(await runAndReport(paths, { ...settings, ...minScore }, { terminal, verb: ['ci'] }));
    });
}
