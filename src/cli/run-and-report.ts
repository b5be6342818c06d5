import path from 'node:path';
import process from 'node:process';
import type { LoadSuiteOptions, RunSuiteOptions, SuiteReport, TraceFailuresOptions } from '../index.ts';
import type { Given } from '../settings/setting-types.ts';
import { announce } from './commands/open.ts';
import { untilInterrupt, withInterrupt, withParent } from './interrupt.ts';
import { openLiveReports } from './live-reports.ts';
import { forecastOption } from './forecast-option.ts';
import { judgesCosts } from './price-options.ts';
import { createProgressDisplay } from './progress-display.ts';
import { reportExtras } from './report-extras.ts';
import { followsRun, isForGithub, planReports, reportOptions, requireWritable, writeReports } from './reports.ts';
import type { PageServer } from './serve-page.ts';
import { runShardCommand } from './shard-run.ts';
import { runOptions, selectOptions } from './setting-options.ts';
import type { Terminal } from './terminal.ts';
import { warnAhead } from './warn-ahead.ts';

/** The command that runs something. */
export interface RunCommand {
  readonly terminal: Terminal;
  /** The words it is called by. */
  readonly verb: readonly string[];
  /** What it runs of a suite; absent: all of it. */
  readonly part?: Pick<LoadSuiteOptions, 'only' | 'recordings'>;
}

/** Runs what a command line says and makes its reports; resolves to the exit code. */
export async function runAndReport(paths: readonly string[], given: Given, command: RunCommand): Promise<number> {
  if (given.watched === true) return withParent(() => runOnce(paths, given, command));
  if (given.watch !== true) return runOnce(paths, given, command);
  const { terminal, verb, part = {} } = command;
  const { watchRun } = await import('./watch-run.ts');
  const load = { ...selectOptions(paths, given), ...part };
  return watchRun({ load, verb, args: process.argv.slice(2), terminal });
}

async function runOnce(
  paths: readonly string[],
  given: Given,
  { terminal, part = {} }: Omit<RunCommand, 'verb'>,
): Promise<number> {
  const files = given.onlyFiles ?? paths;
  const asked = { ...(await runOptions(files, given, terminal)), ...part };
  if (given.shard !== undefined || given.out !== undefined) return runShardCommand(given, asked, terminal);
  const { exitCode, PasskError, renderIssueAnnotations, renderReport, runSuite } = await import('../index.ts');
  const style = {
    color: given.color !== false && terminal.color,
    quiet: given.quiet === true,
    verbose: given.verbose === true,
  };
  const targets = await planReports(given.reporters ?? [], {
    json: given.json === true,
    ...(asked.plugins !== undefined && { plugins: asked.plugins }),
    ...(asked.permissions !== undefined && { permissions: asked.permissions }),
  });
  const options = reportOptions(terminal, style);
  const forecast = await forecastOption(given, () => judgesCosts({ ...selectOptions(files, given), ...part }));
  if (asked.saveBaseline !== undefined) await requireWritable(asked.saveBaseline, 'baseline');
  const live = await openLiveReports(targets.filter(followsRun), { terminal, options });
  const progress = await createProgressDisplay(terminal, {
    ...style,
    color: given.color !== false && terminal.errorColor,
  });
  const server = given.open === true ? await (await import('./serve-page.ts')).servePage() : null;
  if (server !== null) await announce(server, { browser: true, terminal });
  const onInterrupt = (): void => {
    progress.clear();
    terminal.say('stopping; the report covers what has run. Ctrl-C again stops at once.');
  };
  try {
    const { value: report, interrupted } = await withInterrupt(onInterrupt, (signal, begin) =>
      runSuite({
        ...asked,
        ...forecast,
        onProgress: (event) => {
          if (event.kind === 'planned') {
            begin();
            if (given.quiet !== true) warnAhead(event.issues, terminal);
          }
          progress.show(event);
          live.show(event);
          if (event.kind === 'progress') server?.progress(event);
        },
        onOutput: (text) => {
          progress.clear();
          terminal.relay(text);
        },
        signal,
      }),
    );
    progress.clear();
    const atEnd = targets.filter((target) => !followsRun(target));
    const extras = await reportExtras(report, {
      needsTraces: server !== null || atEnd.some(({ reporter }) => reporter.type === 'html'),
      history: asked.history,
      trials: ofTrials(asked),
    });
    const told = { terminal, options: { ...options, ...extras }, permissions: asked.permissions };
    const failures = [...(await live.close()), ...(await writeReports(report, atEnd, told))];
    for (const failure of failures) terminal.say(failure);
    if (given.watched === true) process.send?.(filesToRunAgain(report));
    if (server !== null && !interrupted)
      await showUntilInterrupt(server, renderReport(report, { ...extras, reporter: 'html' }), terminal);
    return exitCode(report, { interrupted, outputFailed: failures.length > 0 });
  } catch (error) {
    // Nothing ran, so there is no report; the places of the problems are known all the same.
    if (error instanceof PasskError && targets.some(isForGithub)) {
      terminal.printData(renderIssueAnnotations(error.issues, options));
    }
    throw error;
  } finally {
    await live.close();
    await server?.close();
    progress.clear();
  }
}

/** The options that trials depend on, and the report does not say. */
function ofTrials({ timeoutMs, isolation, plugins }: RunSuiteOptions): TraceFailuresOptions {
  const options = { timeoutMs, isolation, plugins };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function filesToRunAgain({ scenarios, results, timing: { root = '' } }: SuiteReport): readonly string[] {
  const failed = [...scenarios, ...results].filter(({ verdict }) => verdict !== 'passed');
  return [...new Set(failed.map(({ file }) => path.join(root, file)))];
}

async function showUntilInterrupt(server: PageServer, html: string, terminal: Terminal): Promise<void> {
  server.show(html);
  // What was printed so far is there to be read while the page is open.
  await terminal.flush();
  await untilInterrupt();
}
