import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { PermissionOptions, ReporterSources, ReportRequest } from '../public/suites.ts';
import type { RenderOptions, SuiteReport } from '../public/types.ts';
import { makeFolder } from '../records/make-folder.ts';
import { codeOf } from '../values/file-problem.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { thrownAt } from '../values/thrown-at.ts';
import { appendStepSummary, folderInRepository } from './github-actions.ts';
import { messageOf } from './message-of.ts';
import type { Terminal } from './terminal.ts';

/** How reports look, as the flags say. */
export type ReportStyle = Pick<RenderOptions, 'color' | 'verbose' | 'quiet'>;

/** Reads `--json` and every `--reporter NAME[:path]`. Adds the text report where no other is written to stdout. */
export async function planReports(
  words: readonly string[],
  { json, ...sources }: ReporterSources & { readonly json: boolean },
): Promise<readonly ReportRequest[]> {
  const { resolveReporters } = await import('../public/suites.ts');
  const requests = await resolveReporters(json ? ['json', ...words] : words, sources);
  for (const { path: file, reporter, url } of requests) {
    if (file === null || url !== undefined) continue;
    if (reporter.files === undefined) await requireWritable(file);
    else await requireOwnFolder(file, reporter);
  }
  if (requests.some(({ path: file, reporter }) => file === null && reporter.besideText !== true)) return requests;
  return [...(await resolveReporters(['text'])), ...requests];
}

/** The options of a reporter on this terminal. */
export function reportOptions(terminal: Terminal, style: ReportStyle): RenderOptions {
  const { columns, unicode } = terminal;
  const filePrefix = folderInRepository(process.env, process.cwd());
  return { ...style, columns, unicode, timing: true, ...(filePrefix !== '' && { filePrefix }) };
}

/** The terminal, and what is granted to reports that are sent. */
export interface ReportPlace {
  readonly terminal: Terminal;
  readonly options: RenderOptions;
  readonly permissions?: PermissionOptions | undefined;
}

/** That a reporter broke, where and why. */
export function brokenText(name: string, cause: unknown): string {
  const place = thrownAt(cause, new Error('here'));
  return `The ${name} reporter broke${place === null ? '' : ` at ${place}`}: ${messageOf(cause)}.`;
}

/** Writes every report; a file is written whole or not at all. Resolves to what went wrong. */
export async function writeReports(
  report: SuiteReport,
  requests: readonly ReportRequest[],
  { terminal, options, permissions = {} }: ReportPlace,
): Promise<readonly string[]> {
  const { renderReports, sendReports, writeFileWhole, writeFolderWhole } = await import('../public/suites.ts');
  // A reporter of a plug-in that changed it would change other reports and the exit code.
  const { reports, folders, outgoing, broken } = renderReports(freezeDeep(report), requests, options);
  const failures = broken.map(({ name, cause }) => brokenText(name, cause));
  const forGithub = requests.some(isForGithub);
  for (const { name, path: file, bytes, escapes } of reports) {
    try {
      if (file !== null) await writeFileWhole(file, bytes);
      else if (escapes) terminal.printData(bytes);
      else terminal.print(new TextDecoder().decode(bytes), options);
    } catch (error) {
      failures.push(`The ${name} report could not be written to ${file}: ${messageOf(error)}.`);
    }
  }
  for (const { name, path: folder, files, isOwn } of folders) {
    try {
      await writeFolderWhole(folder, files, isOwn);
    } catch (error) {
      failures.push(`The ${name} report could not be written to ${folder}: ${messageOf(error)}.`);
    }
  }
  for (const { name, url, message, isWarning } of await sendReports(outgoing, { permissions })) {
    if (isWarning) terminal.say(`The ${name} report was taken by ${url} with a warning: ${message}.`);
    else failures.push(`The ${name} report was not taken as a whole by ${url}: ${message}.`);
  }
  if (!forGithub) return failures;
  const failure = await appendStepSummary(report, process.env, options);
  return failure === null ? failures : [...failures, failure];
}

/** Whether a report is written while the run goes on. */
export function followsRun({ reporter, url }: ReportRequest): boolean {
  return reporter.event !== undefined && url === undefined;
}

/** Whether a report tells GitHub Actions on standard output. */
export function isForGithub({ reporter, path: file }: ReportRequest): boolean {
  return reporter.type === 'github' && file === null;
}

/**
 * Makes the folder of the file where it is missing. Rejects with `OUTPUT` where the file cannot be written: before the run,
 * rather than after it.
 */
export async function requireWritable(
  file: string,
  what: 'report' | 'shard' | 'baseline' | 'table' = 'report',
): Promise<void> {
  const { PasskError } = await import('../public/suites.ts');
  const folder = path.dirname(path.resolve(file));
  try {
    await requireFolder(folder);
    if (!(await isFolder(file))) return;
  } catch (cause) {
    throw new PasskError('OUTPUT', `The ${what} cannot be written to ${file}: ${messageOf(cause)}.`, {
      hint: 'Name a file in a folder that may be written to.',
      cause,
    });
  }
  throw new PasskError('OUTPUT', `The ${what} cannot be written to ${file}: there is a folder in its place.`, {
    hint: 'Name a file in a folder that may be written to.',
  });
}

/** The same for a folder: a new one, an empty one, or one that holds only files of this reporter. */
async function requireOwnFolder(folder: string, reporter: ReportRequest['reporter']): Promise<void> {
  const { filesToReplace, PasskError } = await import('../public/suites.ts');
  const place = path.resolve(folder);
  const refusal = (why: string, cause?: unknown): Error =>
    new PasskError('OUTPUT', `The report cannot be written to ${folder}: ${why}.`, {
      hint: 'Name a folder that is empty or not there yet, or that the same reporter wrote, in a folder that may be written to.',
      ...(cause !== undefined && { cause }),
    });
  let others: readonly string[] = [];
  try {
    await requireFolder(path.dirname(place));
    others = (await filesToReplace(place, (file) => reporter.isOwn?.(file) === true)).others;
  } catch (cause) {
    throw refusal(messageOf(cause), cause);
  }
  if (others.length > 0) throw refusal(`the folder holds ${JSON.stringify(others[0])}, which is none of its files`);
}

/** Rejects where it may not be written to, or something else is in its place. */
async function requireFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? new Error('a part of the path is not a folder', { cause: error }) : error;
  }
  await access(folder, constants.W_OK);
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
