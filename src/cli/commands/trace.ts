import type { Command } from 'commander';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from '../permission-flags.ts';
import { addPriceFlags, type PriceFlags, priceOptions } from '../price-flags.ts';
import { addTrialFlags, pluginOption, type TrialFlags, trialOptions, wholeOption } from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface TraceFlags extends TrialFlags, PermissionFlags, PriceFlags {
  readonly trial: number;
  readonly part?: string;
  readonly replay?: string;
  readonly plugin?: readonly string[];
  readonly verbose?: true;
  readonly json?: true;
  readonly color: boolean;
}

/** Adds `passk trace`: one trial, step by step. */
export function addTrace(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('trace')
    .summary('show one trial step by step')
    .description('Runs one trial again and shows its nodes, branches, outputs, prompts and denials.')
    .argument('<file>', 'the scenario file, or a contract with --part')
    .addOption(wholeOption('--trial <n>', 'which trial, from 0', 0).default(0))
    .option('--part <name>', 'which part of a contract, such as "search-down, prompt 1"')
    .option('--replay <file>', 'the cassette that the trial was recorded in');
  addPermissionFlags(command);
  addPriceFlags(addTrialFlags(command))
    .addOption(pluginOption())
    .option('-v, --verbose', 'values and prompts at full length')
    .option('--json', 'print the trial and its trace as JSON')
    .addHelpText('after', '\nA failing trial in a report comes with the command that traces it.')
    .action(async (file: string, flags: TraceFlags) => done(await trace(file, flags, terminal)));
}

async function trace(file: string, flags: TraceFlags, terminal: Terminal): Promise<number> {
  const { renderTrace, traceTrial } = await import('../../index.ts');
  const traced = await traceTrial({
    file,
    trial: flags.trial,
    ...(flags.part !== undefined && { part: flags.part }),
    onOutput: (text) => terminal.complain(text),
    ...trialOptions(flags),
    ...permissionOptions(flags),
    ...(await priceOptions(flags)),
    ...(flags.replay !== undefined && { replay: flags.replay }),
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
  });
  const style = { columns: terminal.columns, unicode: terminal.unicode, verbose: flags.verbose === true };
  if (flags.json === true) terminal.print(`${JSON.stringify(traced, null, 2)}\n`);
  else terminal.print(renderTrace(traced, { ...style, color: flags.color && terminal.color }));
  return 0;
}
