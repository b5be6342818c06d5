import process from 'node:process';
import { Command } from 'commander';
import type { Table } from '../settings/setting.ts';
import { SETTINGS } from '../settings/table.ts';
import { applySettings } from './apply-settings.ts';
import { nameOf } from './name-of.ts';
import { refuseIdleFlags } from './refuse-idle-flags.ts';
import { addSettings } from './setting-option.ts';
import type { Terminal } from './terminal.ts';

/** Adds one command to the program; `done` takes the exit code. */
export type AddCommand = (program: Command, terminal: Terminal, done: (exitCode: number) => void) => void;

/** Each command is loaded when it is first made. */
const COMMANDS: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ['run', async () => (await import('./commands/run.ts')).addRun],
  ['contract', async () => (await import('./commands/contract.ts')).addContract],
  ['model', async () => (await import('./commands/model.ts')).addModel],
  ['compare', async () => (await import('./commands/compare.ts')).addCompare],
  ['score', async () => (await import('./commands/score.ts')).addScore],
  ['export', async () => (await import('./commands/export.ts')).addExport],
  ['import', async () => (await import('./commands/import.ts')).addImport],
  ['scrub', async () => (await import('./commands/scrub.ts')).addScrub],
  ['price', async () => (await import('./commands/price.ts')).addPrice],
  ['ci', async () => (await import('./commands/ci.ts')).addCi],
  ['probe', async () => (await import('./commands/probe.ts')).addProbe],
  ['merge', async () => (await import('./commands/merge.ts')).addMerge],
  ['worker', async () => (await import('./commands/worker.ts')).addWorker],
  ['plan', async () => (await import('./commands/plan.ts')).addPlan],
  ['validate', async () => (await import('./commands/validate.ts')).addValidate],
  ['trace', async () => (await import('./commands/trace.ts')).addTrace],
  ['explain', async () => (await import('./commands/explain.ts')).addExplain],
  ['generate', async () => (await import('./commands/generate.ts')).addGenerate],
  ['list', async () => (await import('./commands/list.ts')).addList],
  ['history', async () => (await import('./commands/history.ts')).addHistory],
  ['audit', async () => (await import('./commands/audit.ts')).addAudit],
  ['judge', async () => (await import('./commands/judge.ts')).addJudge],
  ['release', async () => (await import('./commands/release.ts')).addRelease],
  ['certify', async () => (await import('./commands/certify.ts')).addCertify],
  ['canary', async () => (await import('./commands/canary.ts')).addCanary],
  ['golden', async () => (await import('./commands/golden.ts')).addGolden],
  ['chaos', async () => (await import('./commands/chaos.ts')).addChaos],
  ['open', async () => (await import('./commands/open.ts')).addOpen],
  ['init', async () => (await import('./commands/init.ts')).addInit],
  ['schema', async () => (await import('./commands/schema.ts')).addSchema],
  ['plugins', async () => (await import('./commands/plugins.ts')).addPlugins],
  ['config', async () => (await import('./commands/config.ts')).addConfig],
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

export interface ProgramOptions {
  /** The one command to make: to make all of them takes longer than a small run. '' or another word: all. */
  readonly verb?: string;
  /** Where flags come from. */
  readonly table?: Table;
}

/** The program of Commander with its commands. It throws CommanderError where Commander would exit. */
export async function createProgram(
  terminal: Terminal,
  done: (exitCode: number) => void,
  { verb = '', table = SETTINGS }: ProgramOptions = {},
): Promise<Command> {
  const program = new Command('passk')
    .description('Proves that an agent workflow is reliable, safe and affordable before it runs unattended.')
    .usage('[command] [paths…] [flags]')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', EXAMPLES)
    // Flags after a command are those of the command.
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
  const onlyCommand = COMMANDS.get(verb);
  for (const load of onlyCommand === undefined ? COMMANDS.values() : [onlyCommand])
    (await load())(program, terminal, done);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    addSettings(command, nameOf(command), table);
    command.showHelpAfterError(`passk ${nameOf(command)} --help lists its flags.`);
  }
  program.hook('preAction', async (_program, command) => {
    await applySettings(command, process.env, terminal);
    await refuseIdleFlags(command);
  });
  return program.showHelpAfterError('passk --help lists the commands.');
}
