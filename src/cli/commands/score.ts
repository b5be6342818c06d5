import type { Command } from 'commander';
import { runAndReport } from '../run-and-report.ts';
import { settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Formats are told by what stands in the files: \`passk plugins\` lists them.

Examples:
  passk score results.json                       pass^k, interval, cost and errors of recorded runs
  passk score runs/*.xml --gate 'pass^4 >= 0.9'  a verdict on repeated test runs
  passk score runs.csv --map task=case_id --map passed=ok
  passk score log.eval --scorer accuracy --errors exclude
  passk score traces.json --judged-by kindness   a model judges each run, as [[judges]] in passk.toml say`;

/** Adds `passk score`: judges runs that other programs recorded as if passk had run them. */
export function addScore(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('score')
    .summary('score runs that other programs recorded')
    .description('Reads runs that other programs recorded, each as one trial, and reports as run.')
    .argument('<files...>', 'files and folders with recorded runs')
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], _, command: Command) =>
      done(await runAndReport([], settingsOf(command), { terminal, verb: ['score'], part: { recordings: files } })),
    );
}
