import path from 'node:path';
import process from 'node:process';
import type { TraceFailuresOptions } from '../public/evidence.ts';
import type { LoadSuiteOptions, RunSuiteOptions } from '../public/suites.ts';
import type { SuiteReport } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { chosenFiles } from './chosen-files.ts';
import { keepFailedFiles } from './failed-files.ts';
import { withInterrupt, withParent } from './interrupt.ts';
import { openLiveReports } from './live-reports.ts';
import { forecastOption } from './forecast-option.ts';
import { judgesCosts } from './price-options.ts';
import { printFailure } from './print-failure.ts';
import { createProgressDisplay } from './progress-display.ts';
import { reportExtras } from './report-extras.ts';
import { followsRun, isForGithub, planReports, reportOptions, requireWritable, writeReports } from './reports.ts';
import { openRunPage, openWatchPage } from './run-page.ts';
import { runShardCommand } from './shard-run.ts';
import { runOptions, selectOptions } from './setting-options.ts';
import type { Terminal } from './terminal.ts';
import { type Planned, warnAhead, warnIdleModels } from './warn-ahead.ts';

/** A command that runs suites. */
export interface RunCommand {
  readonly terminal: Terminal;
  /** The words it is called by. */
  readonly verb: readonly string[];
  /** Which part of the suite it runs; absent: all of it. */
  readonly part?: Pick<LoadSuiteOptions, 'only' | 'recordings'>;
  /** Throws why what is planned is not to be run; absent: everything is. */
  readonly admit?: (planned: Planned) => void;
}

/** Runs what a command line says and writes its reports. Resolves to the exit code. */
export async function runAndReport(
  paths: readonly string[],
  settings: CommandSettings,
  command: RunCommand,
): Promise<number> {
  if (settings.watched === true) return withParent(() => runOnce(paths, settings, command));
  if (settings.watch !== true) return runOnce(paths, settings, command);
  const { terminal, verb, part = {} } = command;
  const { watchRun } = await import('./watch-run.ts');
  const load = { ...selectOptions(paths, settings), ...part };
  const page = settings.open === undefined ? null : await openWatchPage(terminal);
  try {
    const code = await watchRun({ load, verb, args: process.argv.slice(2), terminal, page });
    await page?.delivered(0);
    return code;
  } finally {
    await page?.close();
  }
}

async function runOnce(
  paths: readonly string[],
  settings: CommandSettings,
  { terminal, part = {}, admit }: Omit<RunCommand, 'verb'>,
): Promise<number> {
  const chosen =
    settings.onlyFiles ?? (await chosenFiles({ ...selectOptions(paths, settings), ...part }, settings, terminal));
  if (chosen?.length === 0) {
    terminal.say('no scenario reads what changed; nothing was run.');
    return 0;
  }
  const files = chosen ?? paths;
  const suiteOptions = { ...(await runOptions(files, settings, terminal)), ...part };
  await warnIdleModels(settings, terminal);
  if (settings.shard !== undefined || settings.out !== undefined)
    return runShardCommand(settings, suiteOptions, { terminal, admit });
  const { exitCode, PasskError, printError, renderIssueAnnotations, renderReport, runSuite } = await import(
    '../public/suites.ts'
  );
  const style = {
    color: settings.color !== false && terminal.color,
    quiet: settings.quiet === true,
    verbose: settings.verbose === true,
  };
  const targets = await planReports(settings.reporters ?? [], {
    json: settings.json === true,
    ...(suiteOptions.plugins !== undefined && { plugins: suiteOptions.plugins }),
    ...(suiteOptions.permissions !== undefined && { permissions: suiteOptions.permissions }),
  });
  const options = reportOptions(terminal, style);
  const forecast = await forecastOption(settings, () => judgesCosts({ ...selectOptions(files, settings), ...part }));
  if (suiteOptions.saveBaseline !== undefined) await requireWritable(suiteOptions.saveBaseline, 'baseline');
  const live = await openLiveReports(targets.filter(followsRun), { terminal, options });
  const progress = await createProgressDisplay(terminal, {
    ...style,
    color: settings.color !== false && terminal.errorColor,
  });
  const page = await openRunPage(settings, terminal, () => progress.clear());
  // Only plug-ins run code of others on this thread.
  const unwatch =
    (suiteOptions.plugins ?? []).length > 0 &&
    (await import('./thread-watch.ts')).watchThread({
      say: (sentence) => {
        progress.clear();
        terminal.say(sentence);
      },
    });
  let ended: SuiteReport | null = null;
  let unkept: unknown = null;
  const onInterrupt = (): void => {
    progress.clear();
    terminal.say('stopping; the report covers what has run. Ctrl-C again stops at once.');
  };
  try {
    const { value: report, interrupted } = await withInterrupt(onInterrupt, (signal, begin) =>
      runSuite({
        ...suiteOptions,
        ...forecast,
        onProgress: (event) => {
          if (event.kind === 'planned') {
            admit?.(event);
            begin();
            if (settings.quiet !== true) warnAhead(event.issues, terminal);
          }
          if (event.kind === 'end') ended = event.report;
          progress.show(event);
          if (event.kind === 'unkept') terminal.say(event.message);
          live.show(event);
          page?.progress(event);
        },
        onOutput: (text) => {
          progress.clear();
          terminal.relay(text);
        },
        signal,
      }).catch((error: unknown) => {
        // What cannot be kept for later runs costs no report.
        if (ended === null) throw error;
        unkept = error;
        return ended;
      }),
    );
    progress.clear();
    const atEnd = targets.filter((target) => !followsRun(target));
    const extras = await reportExtras(report, {
      needsTraces: page !== null || atEnd.some(({ reporter }) => reporter.type === 'html'),
      history: suiteOptions.history,
      trials: ofTrials(suiteOptions),
    });
    const { columns } = terminal;
    const place = { terminal, options: { ...options, columns, ...extras }, permissions: suiteOptions.permissions };
    const failures = [...(await live.close()), ...(await writeReports(report, atEnd, place))];
    for (const failure of failures) terminal.say(failure);
    if (unkept !== null) await printFailure(terminal, unkept);
    const [ran, failed] = [filesOf(report, () => true), filesOf(report, ({ verdict }) => verdict !== 'passed')];
    keepFailedFiles(process.cwd(), { ran, failed });
    if (settings.watched === true) process.send?.(failed);
    if (page !== null) await page.show(renderReport(report, { ...extras, reporter: 'html' }), interrupted);
    return exitCode(report, { interrupted, outputFailed: failures.length > 0 || unkept !== null });
  } catch (error) {
    // Nothing ran, so there is no report; but the problems have places.
    if (error instanceof PasskError && targets.some(isForGithub)) {
      terminal.printData(renderIssueAnnotations(error.issues, options));
    }
    if (page === null) throw error;
    // Whoever looks at the page would else take what it shows for the last word; the terminal is told first.
    progress.clear();
    const code = await printFailure(terminal, error);
    await page.fail(printError(error, { color: false }));
    return code;
  } finally {
    if (unwatch !== false) unwatch();
    await live.close();
    await page?.close();
    progress.clear();
  }
}

/** The options on which trials depend and which the report does not hold. */
function ofTrials({ timeoutMs, isolation, plugins }: RunSuiteOptions): TraceFailuresOptions {
  const options = { timeoutMs, isolation, plugins };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function filesOf(
  { scenarios, results, timing: { root = '' } }: SuiteReport,
  isWanted: (result: { readonly verdict: string }) => boolean,
): readonly string[] {
  const wanted = [...scenarios, ...results].filter(isWanted);
  return [...new Set(wanted.map(({ file }) => path.join(root, file)))];
}
