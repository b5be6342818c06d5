import process from 'node:process';
import { Command, Option } from 'commander';
import { addChaos } from './commands/chaos.ts';
import { addCi } from './commands/ci.ts';
import { addConfig } from './commands/config.ts';
import { addContract } from './commands/contract.ts';
import { addExplain } from './commands/explain.ts';
import { addHistory } from './commands/history.ts';
import { addInit } from './commands/init.ts';
import { addList } from './commands/list.ts';
import { addMerge } from './commands/merge.ts';
import { addOpen } from './commands/open.ts';
import { addPlan } from './commands/plan.ts';
import { addPlugins } from './commands/plugins.ts';
import { addRun } from './commands/run.ts';
import { addSchema } from './commands/schema.ts';
import { addTrace } from './commands/trace.ts';
import { addValidate } from './commands/validate.ts';
import { addWorker } from './commands/worker.ts';
import { applySettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Adds one command to the program; `done` takes the exit code. */
export type AddCommand = (program: Command, terminal: Terminal, done: (exitCode: number) => void) => void;

const COMMANDS: ReadonlyMap<string, AddCommand> = new Map([
  ['run', addRun],
  ['contract', addContract],
  ['ci', addCi],
  ['merge', addMerge],
  ['worker', addWorker],
  ['plan', addPlan],
  ['validate', addValidate],
  ['trace', addTrace],
  ['explain', addExplain],
  ['list', addList],
  ['history', addHistory],
  ['chaos', addChaos],
  ['open', addOpen],
  ['init', addInit],
  ['schema', addSchema],
  ['plugins', addPlugins],
  ['config', addConfig],
]);

/** First words that stand for a command. */
export const VERBS: ReadonlySet<string> = new Set(['help', ...COMMANDS.keys()]);

const EXAMPLES = `
Examples:
  passk init                                  write a first scenario, with comments
  passk scenarios                             run every scenario in a folder
  passk refund.toml --trials 1000 --seed 7    run one scenario a thousand times
  passk trace refund.toml --trial 41          show one trial step by step
  passk explain refund.toml                   show which answers lead where
  passk scenarios --json > report.json        the report as JSON

Exit codes: 0 gate passed, 1 gate failed, 2 usage or input error, 3 not enough evidence,
4 integrity failure, 130 interrupted.`;

/**
 * The whole command line as Commander sees it; throws CommanderError instead of exiting. `verb`: only this command is
 * made, where it is one, because making them all takes longer than a small run.
 */
export function createProgram(terminal: Terminal, done: (exitCode: number) => void, verb = ''): Command {
  const program = new Command('passk')
    .description('Proves that an agent workflow is reliable, safe and affordable before it runs unattended.')
    .usage('[command] [paths…] [flags]')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', EXAMPLES)
    // What follows a command is that command's own.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.complain(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'passk: ')),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.color,
    });
  const asked = COMMANDS.get(verb);
  for (const add of asked === undefined ? COMMANDS.values() : [asked]) add(program, terminal, done);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    command.addOption(new Option('--no-color', 'never colour the output (NO_COLOR does the same)'));
    command.showHelpAfterError(`passk ${command.name()} --help lists its flags.`);
  }
  program.hook('preAction', (_program, command) => applySettings(command, process.env));
  return program.showHelpAfterError('There is no file or folder of that name either. passk --help lists the commands.');
}
