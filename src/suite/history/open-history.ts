import { codeOf } from '../../values/file-problem.ts';
import { Buffer } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { HISTORY_FILE_NAME, historyFile, readHistoryFile } from '../../baseline/history-file.ts';
import { PasskError } from '../../errors.ts';
import { nodeFiles } from '../../records/file-layer.ts';
import { readPlain } from '../../records/open-plain.ts';
import { fileProblem } from '../../values/file-problem.ts';
import { writeFileWhole } from '../../records/write-file-whole.ts';
import { displayName } from '../../source/source-file.ts';
import type { HistoryRun, KeptRun } from '../../types/reports/history.ts';

/** What a history holds. */
export interface HistoryContents {
  /** Oldest first. */
  readonly runs: readonly KeptRun[];
  /** Files that hold no run that can be read, in sentences. */
  readonly notices: readonly string[];
}

/** How much of a history is read. */
export interface ReadHistoryOptions {
  /** Read this many of the newest files; default: all. */
  readonly limit?: number;
}

/** Runs kept in a folder: one file each, written whole or not at all, never changed afterwards. */
export interface History {
  /** Absolute. */
  readonly folder: string;
  /** Makes the folder where there is none. Rejects with `OUTPUT` when it cannot be used. */
  prepare(): Promise<void>;
  /** Keeps a run and resolves to its id. Several processes may do so at once. A run that is there already is kept once. */
  append(run: HistoryRun): Promise<string>;
  /** A folder that is not there holds nothing. Damaged files are named and skipped. */
  read(options?: ReadHistoryOptions): Promise<HistoryContents>;
  /** Deletes all but the newest `keep` runs and resolves to their ids. Files that cannot be read stay. */
  prune(keep: number): Promise<{
    /** Files that are gone. */
    readonly removed: readonly string[];
    /** What could not be read or removed. */
    readonly notices: readonly string[];
  }>;
}

/** Larger files are no runs: 100,000 scenarios take less. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The history in a folder, which need not be there yet. */
export function openHistory(folder: string, { cwd = process.cwd() }: { readonly cwd?: string } = {}): History {
  const root = path.resolve(cwd, folder);
  const shown = (name: string): string => displayName(path.join(root, name), path.resolve(cwd));
  const prepare = (): Promise<void> => writing(shown(''), () => nodeFiles.makeFolder(root));
  return {
    folder: root,
    prepare,
    async append(run) {
      const { id, name, text } = historyFile(run);
      await prepare();
      await writing(shown(name), () => writeFileWhole(path.join(root, name), Buffer.from(text)));
      return id;
    },
    read: (options) => read(root, shown, options),
    async prune(keep) {
      const { runs, notices } = await read(root, shown);
      const removed = runs.slice(0, Math.max(0, runs.length - keep));
      for (const { run } of removed) {
        const { name } = historyFile(run);
        await writing(shown(name), () => nodeFiles.remove(path.join(root, name)));
      }
      return { removed: removed.map(({ id }) => id), notices };
    },
  };
}

/** What the history in a folder holds. */
export function readHistory(
  folder: string,
  { cwd, ...options }: ReadHistoryOptions & { readonly cwd?: string } = {},
): Promise<HistoryContents> {
  return openHistory(folder, cwd === undefined ? {} : { cwd }).read(options);
}

async function read(
  root: string,
  shown: (name: string) => string,
  { limit = Number.POSITIVE_INFINITY }: ReadHistoryOptions = {},
): Promise<HistoryContents> {
  const names = (await namesIn(root, shown(''))).filter((name) => HISTORY_FILE_NAME.test(name)).sort();
  const runs: KeptRun[] = [];
  const notices: string[] = [];
  for (const name of names.slice(-limit)) {
    const found = await readOne(path.join(root, name), name);
    if (found === null) continue;
    if (found.ok) runs.push(found.entry);
    else notices.push(`The run in ${shown(name)} is left out: ${found.problem}.`);
  }
  return { runs, notices };
}

async function namesIn(root: string, shown: string): Promise<readonly string[]> {
  try {
    return await readdir(root);
  } catch (cause) {
    if (isAbsent(cause)) return [];
    throw new PasskError('INPUT', `The history in ${shown} cannot be read: ${fileProblem(cause)}.`, {
      hint: 'Name the folder that --history wrote to.',
      cause,
    });
  }
}

/** Null: another process has pruned it meanwhile. */
async function readOne(file: string, name: string): Promise<ReturnType<typeof readHistoryFile> | null> {
  try {
    return readHistoryFile(await readPlain(file, MOST_BYTES), name);
  } catch (cause) {
    return isAbsent(cause) ? null : { ok: false, problem: fileProblem(cause) };
  }
}

function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

async function writing(name: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (cause) {
    throw new PasskError('OUTPUT', `The history ${name} cannot be written: ${fileProblem(cause)}.`, {
      hint: 'Name a folder that may be written to: --history DIR.',
      cause,
    });
  }
}
