import { randomUUID } from 'node:crypto';
import { access, constants, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SuiteReport } from '../index.ts';
import type { Terminal } from './terminal.ts';

/** One report to make: which reporter, and the file it goes to; null: stdout. */
export interface ReportTarget {
  readonly reporter: string;
  readonly file: string | null;
}

export interface ReportStyle {
  readonly color: boolean;
  readonly verbose: boolean;
  readonly quiet: boolean;
}

/** Reads `--json` and every `--reporter NAME[:path]`; a run always says something on stdout. */
export async function planReports(specs: readonly string[], json: boolean): Promise<readonly ReportTarget[]> {
  const { PasskError } = await import('../index.ts');
  const targets = [...(json ? ['json'] : []), ...specs].map(parseSpec);
  const onStdout = targets.filter(({ file }) => file === null);
  if (onStdout.length > 1) {
    const names = onStdout.map(({ reporter }) => reporter).join(', ');
    throw new PasskError('USAGE', `Only one report can go to stdout, not ${onStdout.length}: ${names}.`, {
      hint: `Give the others a file: --reporter ${onStdout[1]?.reporter}:report.${onStdout[1]?.reporter}.`,
    });
  }
  for (const { file } of targets) if (file !== null) await requireWritable(file);
  return onStdout.length === 1 ? targets : [{ reporter: 'text', file: null }, ...targets];
}

/** Makes every report; files are written whole or not at all. Resolves to the failures. */
export async function writeReports(
  report: SuiteReport,
  targets: readonly ReportTarget[],
  { terminal, style }: { readonly terminal: Terminal; readonly style: ReportStyle },
): Promise<readonly string[]> {
  const { renderReport } = await import('../index.ts');
  const failures: string[] = [];
  for (const { reporter, file } of targets) {
    try {
      if (file === null) terminal.print(renderReport(report, { reporter, columns: terminal.columns, ...style }));
      else await writeWhole(file, renderReport(report, { reporter, columns: 100, ...style, color: false }));
    } catch (error) {
      failures.push(`The ${reporter} report could not be written to ${file ?? 'stdout'}: ${messageOf(error)}.`);
    }
  }
  return failures;
}

function parseSpec(spec: string): ReportTarget {
  const colon = spec.indexOf(':');
  if (colon === -1) return { reporter: spec, file: null };
  const file = spec.slice(colon + 1);
  return { reporter: spec.slice(0, colon), file: file === '' || file === '-' ? null : file };
}

/** Found out before the run rather than after it. */
async function requireWritable(file: string): Promise<void> {
  const { PasskError } = await import('../index.ts');
  const folder = path.dirname(path.resolve(file));
  try {
    await access(folder, constants.W_OK);
    if ((await stat(folder)).isDirectory() && !(await isFolder(file))) return;
  } catch (cause) {
    throw new PasskError('OUTPUT', `The report cannot be written to ${file}: ${messageOf(cause)}.`, {
      hint: 'Name a file in a folder that exists and may be written to.',
      cause,
    });
  }
  throw new PasskError('OUTPUT', `The report cannot be written to ${file}: there is a folder in its place.`, {
    hint: 'Name a file in a folder that exists and may be written to.',
  });
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function writeWhole(file: string, text: string): Promise<void> {
  const special = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  // A pipe or /dev/null cannot be renamed over.
  if (special) return writeFile(file, text);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const plain: Readonly<Record<string, string>> = {
    ENOENT: 'the folder does not exist',
    ENOTDIR: 'a part of the path is not a folder',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  return plain[code] ?? error.message.replace(/\.$/, '');
}
