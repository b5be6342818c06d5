import { randomUUID } from 'node:crypto';
import { access, constants, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RenderOptions, ReportRequest, SuiteReport } from '../index.ts';
import type { Terminal } from './terminal.ts';

/** How reports are to look, as the flags say. */
export type ReportStyle = Pick<RenderOptions, 'color' | 'verbose' | 'quiet'>;

/** Reads `--json` and every `--reporter NAME[:path]`; a run always says something on stdout. */
export async function planReports(words: readonly string[], json: boolean): Promise<readonly ReportRequest[]> {
  const { builtinReporters, parseReporters } = await import('../index.ts');
  const requests = parseReporters(json ? ['json', ...words] : words, builtinReporters);
  for (const { path: file } of requests) if (file !== null) await requireWritable(file);
  if (requests.some(({ path: file }) => file === null)) return requests;
  return [...parseReporters(['text'], builtinReporters), ...requests];
}

/** Makes every report; files are written whole or not at all. Resolves to what went wrong. */
export async function writeReports(
  report: SuiteReport,
  requests: readonly ReportRequest[],
  { terminal, style }: { readonly terminal: Terminal; readonly style: ReportStyle },
): Promise<readonly string[]> {
  const { renderReports } = await import('../index.ts');
  const { columns, unicode } = terminal;
  const { reports, broken } = renderReports(report, requests, { ...style, columns, unicode, timing: true });
  const failures = broken.map(({ name, cause }) => `The ${name} reporter broke: ${messageOf(cause)}.`);
  for (const { name, path: file, bytes } of reports) {
    try {
      if (file === null) terminal.print(bytes);
      else await writeWhole(file, bytes);
    } catch (error) {
      failures.push(`The ${name} report could not be written to ${file}: ${messageOf(error)}.`);
    }
  }
  return failures;
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

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const special = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  // A pipe or /dev/null cannot be renamed over.
  if (special) return writeFile(file, bytes);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, bytes);
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
