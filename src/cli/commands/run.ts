import process from 'node:process';
import { type Command, Option } from 'commander';
import type { RunSuiteOptions, SuiteReport } from '../../index.ts';
import { addBaselineFlags, type BaselineFlags, baselineOptions } from '../baseline-flags.ts';
import { parseRate } from '../parse-number.ts';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from '../permission-flags.ts';
import { createProgressDisplay } from '../progress-display.ts';
import { addBudgetFlags, addCassetteFlags, addModelFlags, type LiveFlags, liveOptions } from '../live-flags.ts';
import { openLiveReports } from '../live-reports.ts';
import type { PageServer } from '../serve-page.ts';
import { untilInterrupt, withInterrupt } from '../interrupt.ts';
import { announce } from './open.ts';
import { reportExtras } from '../report-extras.ts';
import { isForGithub, planReports, reportOptions, writeReports } from '../reports.ts';
import { runShardCommand } from '../shard-run.ts';
import { addStopEarlyFlag, type StopEarlyFlags, stopEarlyOption } from '../stop-early-flag.ts';
import {
  addSelectFlags,
  addTrialFlags,
  gateOption,
  queueTimeoutOption,
  repeatableOption,
  type SelectFlags,
  selectOptions,
  type TrialFlags,
  trialOptions,
  wholeOption,
} from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface RunFlags extends SelectFlags, TrialFlags, BaselineFlags, PermissionFlags, LiveFlags, StopEarlyFlags {
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

const EXAMPLES = `
Paths are files, folders or globs; bare paths mean \`run\`.

Examples:
  passk scenarios --trials 1000
  passk run 'suites/**/*.toml' --tag security --min-pass-rate 0.95
  passk refund.toml --reporter json:report.json --reporter reference-json:reference.json
  passk run scenarios --live --record run.cassette
  passk run scenarios --replay run.cassette`;

/** Adds `passk run`: scenarios in, report on stdout, verdict as exit code. */
export function addRun(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('run')
    .summary('run scenarios and report (the default command)')
    .description('Runs scenarios on all cores and prints a report; the exit code is the verdict.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .addOption(wholeOption('-k, --trials <n>', 'trials of every scenario, instead of its own number', 1))
    .addOption(wholeOption('-j, --workers <n>', 'worker threads; 0 runs inline (default: one per core)', 0))
    .addOption(
      wholeOption('--concurrency <n>', 'trials in flight that wait for the outside world (default: 16 per worker)', 1),
    );
  addTrialFlags(command);
  addPermissionFlags(command);
  addCassetteFlags(addBudgetFlags(addModelFlags(command)));
  addBaselineFlags(command);
  addSelectFlags(command)
    .addOption(
      new Option('--min-pass-rate <rate>', 'the pass rate from 0 to 1 that every scenario must reach').argParser(
        parseRate,
      ),
    )
    .addOption(gateOption());
  addStopEarlyFlag(command)
    .option('--dedupe', 'run trials that must be the same once, and count the others like them')
    .option('--bail', 'stop at the first failing trial')
    .option('--json', 'print the report as JSON; short for --reporter json')
    .addOption(repeatableOption('-r, --reporter <name[:path]>', 'a report to make, on stdout or in a file'))
    .option('--keep-going', 'run the other scenarios when some cannot be loaded; the exit code stays 2')
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
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: RunFlags) => done(await run(paths, flags, terminal)));
}

async function run(given: readonly string[], flags: RunFlags, terminal: Terminal): Promise<number> {
  if (flags.watch === true && flags.watched !== true) {
    const { watchRun } = await import('../watch-run.ts');
    return watchRun({ load: selectOptions(given, flags), args: process.argv.slice(2), terminal });
  }
  const paths = flags.only ?? given;
  if (flags.shard !== undefined || flags.out !== undefined) {
    return runShardCommand(flags, { ...selectOptions(paths, flags), ...(await runOptions(flags, terminal)) }, terminal);
  }
  const { exitCode, PasskError, renderIssueAnnotations, renderReport, runSuite } = await import('../../index.ts');
  const style = { color: flags.color && terminal.color, quiet: flags.quiet === true, verbose: flags.verbose === true };
  const targets = await planReports(flags.reporter ?? [], {
    json: flags.json === true,
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
  });
  const options = reportOptions(terminal, style);
  const compared = await baselineOptions(flags);
  const asked = await runOptions(flags, terminal);
  const live = await openLiveReports(
    targets.filter(({ reporter }) => reporter.event !== undefined),
    { terminal, options },
  );
  const progress = await createProgressDisplay(terminal, { ...style, color: flags.color && terminal.errorColor });
  const server = flags.open === true ? await (await import('../serve-page.ts')).servePage() : null;
  if (server !== null) await announce(server, { browser: true, terminal });
  const onInterrupt = (): void => {
    progress.clear();
    terminal.complain('passk: stopping; the report covers what has run. Ctrl-C again stops at once.\n');
  };
  try {
    const { value: report, interrupted } = await withInterrupt(onInterrupt, (signal) =>
      runSuite({
        ...selectOptions(paths, flags),
        ...asked,
        ...compared,
        onProgress: (event) => {
          progress.show(event);
          live.show(event);
          if (event.kind === 'progress') server?.progress(event);
        },
        onOutput: (text) => {
          progress.clear();
          terminal.complain(text);
        },
        signal,
      }),
    );
    progress.clear();
    const atEnd = targets.filter(({ reporter }) => reporter.event === undefined);
    const extras = await reportExtras(report, {
      needsTraces: server !== null || atEnd.some(({ reporter }) => reporter.type === 'html'),
      history: compared.history,
      trials: { ...trialOptions(flags), ...(flags.plugin !== undefined && { plugins: flags.plugin }) },
    });
    const told = { terminal, options: { ...options, ...extras } };
    const failures = [...(await live.close()), ...(await writeReports(report, atEnd, told))];
    for (const failure of failures) terminal.complain(`passk: ${failure}\n`);
    if (flags.watched === true) process.send?.(filesToRunAgain(report));
    if (server !== null && !interrupted)
      await showUntilInterrupt(server, renderReport(report, { ...extras, reporter: 'html' }), terminal);
    return exitCode(report, { interrupted, outputFailed: failures.length > 0 });
  } catch (error) {
    // Nothing ran, so there is no report; the places of the problems are known all the same.
    if (error instanceof PasskError && targets.some(isForGithub)) {
      terminal.print(renderIssueAnnotations(error.issues, options));
    }
    throw error;
  } finally {
    await live.close();
    await server?.close();
    progress.clear();
  }
}

function filesToRunAgain({ scenarios }: SuiteReport): readonly string[] {
  return scenarios.filter(({ verdict }) => verdict !== 'passed').map(({ file }) => file);
}

async function showUntilInterrupt(server: PageServer, html: string, terminal: Terminal): Promise<void> {
  server.show(html);
  // What was printed so far is there to be read while the page is open.
  await terminal.flush();
  await untilInterrupt();
}

async function runOptions(flags: RunFlags, terminal: Terminal): Promise<RunSuiteOptions> {
  return {
    ...journalOptions(flags, terminal),
    ...queueOptions(flags, terminal),
    ...trialOptions(flags),
    ...permissionOptions(flags),
    ...(await liveOptions(flags)),
    ...(flags.trials !== undefined && { trials: flags.trials }),
    ...(flags.workers !== undefined && { workers: flags.workers }),
    ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
    ...(flags.minPassRate !== undefined && { minPassRate: flags.minPassRate }),
    ...(flags.gate !== undefined && { gates: flags.gate }),
    ...(flags.dedupe === true && { dedupe: true }),
    ...(flags.bail === true && { bail: true }),
    ...stopEarlyOption(flags),
    ...(flags.keepGoing === true && { keepGoing: true }),
  };
}

function queueOptions({ queue: url, queueTimeout }: RunFlags, terminal: Terminal): Pick<RunSuiteOptions, 'queue'> {
  if (url === undefined) return {};
  const onNotice = (text: string): void => terminal.complain(`passk: ${text}\n`);
  return { queue: { url, onNotice, ...(queueTimeout !== undefined && { outageMs: queueTimeout * 1000 }) } };
}

/** Without one of the two flags no run leaves a file behind. */
function journalOptions({ journal, resume }: RunFlags, terminal: Terminal): Pick<RunSuiteOptions, 'journal'> {
  if (journal === undefined && resume !== true) return {};
  const onNotice = (text: string): void => terminal.complain(`passk: ${text}\n`);
  return { journal: { folder: journal ?? '.passk/journal', resume: resume === true, onNotice } };
}
