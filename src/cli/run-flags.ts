import { type Command, Option } from 'commander';
import type { RunSuiteOptions } from '../index.ts';
import { addBaselineFlags, type BaselineFlags } from './baseline-flags.ts';
import { addBudgetFlags, addCassetteFlags, addModelFlags, type LiveFlags, liveOptions } from './live-flags.ts';
import { parseRate } from './parse-number.ts';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from './permission-flags.ts';
import { addPriceFlags, priceOptions } from './price-flags.ts';
import { addStopEarlyFlag, type StopEarlyFlags, stopEarlyOption } from './stop-early-flag.ts';
import {
  addSelectFlags,
  addTrialFlags,
  gateOption,
  minScoreOption,
  queueTimeoutOption,
  repeatableOption,
  type SelectFlags,
  type TrialFlags,
  trialOptions,
  wholeOption,
} from './suite-flags.ts';
import type { Terminal } from './terminal.ts';

/** What the command line says of a run. */
export interface RunFlags extends SelectFlags, TrialFlags, BaselineFlags, PermissionFlags, LiveFlags, StopEarlyFlags {
  readonly shard?: string;
  readonly out?: string;
  readonly journal?: string;
  readonly resume?: true;
  readonly queue?: string;
  readonly queueTimeout?: number;
  readonly trials?: number;
  readonly workers?: number;
  readonly concurrency?: number;
  readonly minPassRate?: number;
  readonly minScore?: number;
  readonly gate?: readonly string[];
  readonly dedupe?: true;
  readonly bail?: true;
  readonly json?: true;
  readonly reporter?: readonly string[];
  readonly open?: true;
  readonly watch?: true;
  readonly watched?: true;
  readonly only?: readonly string[];
  readonly keepGoing?: true;
  readonly quiet?: true;
  readonly verbose?: true;
}

const DEDUPE = ['--dedupe', 'run trials that must be the same once, and count the others like them'] as const;
const KEEP_GOING = [
  '--keep-going',
  'run the other scenarios when some cannot be loaded; the exit code stays 2',
] as const;

/** Adds the paths and everything that can be said of a run and its reports. */
export function addRunFlags(command: Command): Command {
  addBaselineFlags(addEngineFlags(command));
  return (
    addStopEarlyFlag(addBars(command))
      .option(...DEDUPE)
      .option('--bail', 'stop at the first failing trial')
      .option('--json', 'print the report as JSON; short for --reporter json')
      .addOption(repeatableOption('-r, --reporter <name[:path]>', 'a report to make, on stdout or in a file'))
      .option(...KEEP_GOING)
      .option('--shard <i/n>', 'run only this part of the run, to be merged; auto reads the variables of CI systems')
      .option('--out <file>', 'where to write the part that --shard names')
      .option('--journal <dir>', 'write results there while they come (default with --resume: .passk/journal)')
      .option('--resume', 'take what the journal holds and run the rest')
      .option('--queue <url>', 'let passk worker processes run the trials, over this Redis; better as PASSK_QUEUE')
      .addOption(queueTimeoutOption())
      .option('--open', 'show the report as a page, from the start of the run until Ctrl-C')
      .option('-w, --watch', 'run again what a changed file changes, until q or Ctrl-C')
      // What --watch tells the runs that it starts.
      .addOption(new Option('--watched').hideHelp())
      .addOption(repeatableOption('--only <file>', 'only these files').hideHelp())
      .option('-q, --quiet', 'only failures and the verdict')
      .option('-v, --verbose', 'every scenario, failure and notice')
  );
}

/** The same without reports, and without what keeps or compares results. */
export function addScoreFlags(command: Command): Command {
  return addBars(addPriceFlags(addEngineFlags(command)))
    .option(...DEDUPE)
    .option(...KEEP_GOING);
}

function addEngineFlags(command: Command): Command {
  command
    .argument('[paths...]', 'scenario and contract files, folders or globs (default: the current folder)')
    .addOption(wholeOption('-k, --trials <n>', 'trials of every scenario, instead of its own number', 1))
    .addOption(wholeOption('-j, --workers <n>', 'worker threads; 0 runs inline (default: one per core)', 0))
    .addOption(
      wholeOption('--concurrency <n>', 'trials in flight that wait for the outside world (default: 16 per worker)', 1),
    );
  addTrialFlags(command);
  addPermissionFlags(command);
  return addCassetteFlags(addBudgetFlags(addModelFlags(command)));
}

function addBars(command: Command): Command {
  return addSelectFlags(command)
    .addOption(
      new Option('--min-pass-rate <rate>', 'the pass rate from 0 to 1 that every scenario must reach').argParser(
        parseRate,
      ),
    )
    .addOption(minScoreOption())
    .addOption(gateOption());
}

/** The library options that these flags stand for, but for paths, filters and baselines. */
export async function runOptions(flags: RunFlags, terminal: Terminal): Promise<RunSuiteOptions> {
  return {
    ...journalOptions(flags, terminal),
    ...queueOptions(flags, terminal),
    ...trialOptions(flags),
    ...permissionOptions(flags),
    ...(await liveOptions(flags)),
    ...(await priceOptions(flags)),
    ...(flags.trials !== undefined && { trials: flags.trials }),
    ...(flags.workers !== undefined && { workers: flags.workers }),
    ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
    ...(flags.minPassRate !== undefined && { minPassRate: flags.minPassRate }),
    ...(flags.minScore !== undefined && { minScore: flags.minScore }),
    ...(flags.gate !== undefined && { gates: flags.gate }),
    ...(flags.dedupe === true && { dedupe: true }),
    ...(flags.bail === true && { bail: true }),
    ...stopEarlyOption(flags),
    ...(flags.keepGoing === true && { keepGoing: true }),
  };
}

function queueOptions({ queue: url, queueTimeout }: RunFlags, terminal: Terminal): Pick<RunSuiteOptions, 'queue'> {
  if (url === undefined) return {};
  const onNotice = (text: string): void => terminal.say(text);
  return { queue: { url, onNotice, ...(queueTimeout !== undefined && { outageMs: queueTimeout * 1000 }) } };
}

/** Without one of the two flags no run leaves a file behind. */
function journalOptions({ journal, resume }: RunFlags, terminal: Terminal): Pick<RunSuiteOptions, 'journal'> {
  if (journal === undefined && resume !== true) return {};
  const onNotice = (text: string): void => terminal.say(text);
  return { journal: { folder: journal ?? '.passk/journal', resume: resume === true, onNotice } };
}
