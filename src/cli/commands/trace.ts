import { type Command, InvalidArgumentError, Option } from 'commander';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from '../permission-flags.ts';
import { addPriceFlags, type PriceFlags, priceOptions } from '../price-flags.ts';
import { addTrialFlags, pluginOption, type TrialFlags, trialOptions, wholeOption } from '../suite-flags.ts';
import { visibleJson, visibleLines } from '../../text/visible-text.ts';
import { jsonPieces } from '../../values/exact-json.ts';
import type { Terminal } from '../terminal.ts';

interface TraceFlags extends TrialFlags, PermissionFlags, PriceFlags {
  readonly trial: number;
  readonly part?: string;
  readonly replay?: string;
  readonly dryRun?: true;
  readonly reporter?: TraceReport;
  readonly plugin?: readonly string[];
  readonly verbose?: true;
  readonly json?: true;
  readonly color: boolean;
}

/** What a trace is printed as, and the file it goes to; absent: standard output. */
interface TraceReport {
  readonly name: 'text' | 'json' | 'reference-json';
  readonly path?: string;
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
    .option('--replay <file>', 'the cassette that the trial was recorded in')
    .option('--dry-run', 'ask and do nothing: no turn, mock or grant is needed, and policy judges every request');
  addPermissionFlags(command);
  addPriceFlags(addTrialFlags(command))
    .addOption(pluginOption())
    .option('-v, --verbose', 'values and prompts at full length')
    .option('--json', 'print the trial and its trace as JSON; short for --reporter json')
    .addOption(
      new Option('-r, --reporter <name[:path]>', "text, json, or reference-json: agentd's record of a run")
        .argParser(parseReport)
        .conflicts('json'),
    )
    .addHelpText('after', '\nA failing trial in a report comes with the command that traces it.')
    .action(async (file: string, flags: TraceFlags) => done(await trace(file, flags, terminal)));
}

async function trace(file: string, flags: TraceFlags, terminal: Terminal): Promise<number> {
  const { renderTrace, runRecord, traceLines, traceTrial, writeFileWhole } = await import('../../index.ts');
  const traced = await traceTrial({
    file,
    trial: flags.trial,
    ...(flags.part !== undefined && { part: flags.part }),
    onOutput: terminal.relay,
    ...trialOptions(flags),
    ...permissionOptions(flags),
    ...(await priceOptions(flags)),
    ...(flags.replay !== undefined && { replay: flags.replay }),
    ...(flags.dryRun === true && { dryRun: true }),
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
  });
  const { columns, unicode } = terminal;
  const style = { columns, unicode, color: flags.color && terminal.color, verbose: flags.verbose === true };
  const { name, path }: TraceReport = flags.reporter ?? { name: flags.json === true ? 'json' : 'text' };
  if (path !== undefined) {
    const pieces = name === 'text' ? [renderTrace(traced)] : jsonPieces(name === 'json' ? traced : runRecord(traced));
    const visible = name === 'text' ? visibleLines : visibleJson;
    await writeFileWhole(path, new TextEncoder().encode(`${[...pieces].map((piece) => visible(piece)).join('')}\n`));
  } else if (name === 'json') await terminal.printLargeJson(traced);
  else if (name === 'reference-json') await terminal.printLargeJson(runRecord(traced));
  if (path !== undefined || name === 'text') await terminal.printLines(traceLines(traced, style), style);
  return 0;
}

function parseReport(word: string): TraceReport {
  const [, name, path] = /^([^:]*)(?::(.+))?$/s.exec(word) ?? [];
  if (name !== 'text' && name !== 'json' && name !== 'reference-json') {
    throw new InvalidArgumentError('A trace is printed as text, json or reference-json.');
  }
  return path === undefined ? { name } : { name, path };
}
