import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { LiveRow } from '../types/live-counts.ts';
import { type FileLayer, nodeFiles, type WritableFile } from './file-layer.ts';
import { fileProblem } from '../values/file-problem.ts';
import { encodeFrame, type FrameEnd } from './frame.ts';
import { encodeJournalHead, type JournalHead, readJournalHead, whyAnotherRun } from './journal-head.ts';
import { lockFile } from './file-lock.ts';
import { endFrame, FrameAppender, framesIn, isFrame, withFile } from './record-file.ts';
import { deltaSchema, liveRowsSchema } from './run-file.schema.ts';
import { shaped, shapedJson } from './shaped.ts';
import { writeFileWhole } from './write-file-whole.ts';
import { exactJsonText } from '../values/exact-json.ts';

/** Longest time between two syncs: a power cut loses at most the results of this time. */
const SYNC_MS = 1000;

export interface JournalOptions {
  readonly folder: string;
  /** True: continue where the journal ends. False: refuse an unfinished journal, and leave it as it is. */
  readonly resume: boolean;
  readonly head: JournalHead;
  /** False: the same trials may end otherwise when run again, so a finished journal is replaced. Default: true. */
  readonly isRepeatable?: boolean;
  /** Called with sentences for people. */
  readonly onNotice: (text: string) => void;
  readonly files?: FileLayer;
}

/** A run's results on disk as they come: replay first, then append, then close. */
export interface Journal {
  readonly notice: (text: string) => void;
  /** The results in the file, up to the first damage, which is cut off. Read them all before the first append. */
  replay(): AsyncGenerator<Delta, void, undefined>;
  /** Resolves when the system has the bytes: they survive the process. Throws `OUTPUT` when they cannot be written. */
  append(delta: Delta): Promise<void>;
  /** Notes what live calls used since the last note; does nothing when closed. Throws as `append` does. */
  appendLive(rows: readonly LiveRow[]): Promise<void>;
  /** The notes that `replay` has read. */
  readonly liveNotes: readonly (readonly LiveRow[])[];
  /** Marks the run as finished. */
  finish(): Promise<void>;
  /** Makes all of it survive a power cut. May be called twice. */
  close(): Promise<void>;
}

/** Opens or begins the journal in a folder. Throws when it is of another run, unfinished, in use or unwritable. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { folder, files = nodeFiles } = options;
  const file = path.join(folder, 'run.journal');
  const release = await writing(file, async () => {
    await files.makeFolder(folder);
    return lockFile(path.join(folder, 'run.lock'), { files, noun: 'journal' });
  });
  try {
    await writing(file, () => prepare(file, files, options));
    const target = await writing(file, () => files.open(file, 'r+'));
    const frames = new FrameAppender(file, target, files);
    return new FileJournal({ file, files, target, frames, release, onNotice: options.onNotice });
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

/** Makes sure that the file is there and begins with this run's head. */
async function prepare(file: string, files: FileLayer, options: JournalOptions): Promise<void> {
  const { resume, head, isRepeatable = true, onNotice } = options;
  const begin = (): Promise<void> => writeFileWhole(file, encodeJournalHead(head, Date.now()), files);
  if ((await files.kindOf(file)) === 'absent') return begin();
  const surveyed = await survey(file, files, { whole: !resume || !isRepeatable });
  if (surveyed.head === null) {
    // Renamed, not removed: somebody may want to look at it.
    await files.rename(file, `${file}.damaged`);
    onNotice(`The journal ${file} is damaged from its start, and kept as ${file}.damaged; everything is run again.`);
    return begin();
  }
  if (!resume) {
    if (surveyed.finished) return begin();
    throw new PasskError('USAGE', `The journal ${file} is of a run that has not finished.`, {
      hint: `--resume continues it; remove it to start anew.`,
    });
  }
  const why = whyAnotherRun(head, surveyed.head);
  if (why === null) {
    if (isRepeatable || !surveyed.finished) return;
    onNotice(
      `The journal ${file} is of a run that has ended; its trials reach the real world, so all of them run anew.`,
    );
    return begin();
  }
  throw new PasskError('INPUT', `The journal ${file} is of another run: ${why}.`, {
    hint: 'Run as it was begun, name another folder with --journal, or remove it.',
  });
}

/** The head of a journal, null when it cannot be read; and, when `whole`, whether its run had finished. */
async function survey(
  file: string,
  files: FileLayer,
  { whole }: { readonly whole: boolean },
): Promise<{ readonly head: JournalHead | null; readonly finished: boolean }> {
  let first: unknown;
  let last: unknown;
  for await (const { value } of framesIn(files.read(file))) {
    first ??= value;
    last = value;
    if (!whole) break;
  }
  return { head: first === undefined ? null : readJournalHead(first, file), finished: isFrame(last, 'end') };
}

interface OpenedFile {
  readonly file: string;
  readonly files: FileLayer;
  readonly target: WritableFile;
  readonly frames: FrameAppender;
  readonly release: () => Promise<void>;
  readonly onNotice: (text: string) => void;
}

class FileJournal implements Journal {
  readonly notice: (text: string) => void;
  readonly liveNotes: (readonly LiveRow[])[] = [];
  private readonly opened: OpenedFile;
  private finished = false;
  private closed = false;
  private timer: NodeJS.Timeout | null = null;
  private syncing: Promise<void> = Promise.resolve();
  private failure: unknown = null;

  constructor(opened: OpenedFile) {
    this.opened = opened;
    this.notice = opened.onNotice;
  }

  async *replay(): AsyncGenerator<Delta, void, undefined> {
    const { file, files } = this.opened;
    const frames = framesIn(files.read(file));
    let isHead = true;
    try {
      for (;;) {
        const next = await writing(file, () => frames.next());
        if (next.done === true) return this.cut(next.value);
        const { value } = next.value;
        if (isHead) isHead = false;
        else if (isFrame(value, 'end')) this.finished = true;
        else if (isFrame(value, 'live')) this.liveNotes.push(liveOf(value, file));
        else yield deltaOf(value, file);
      }
    } finally {
      await frames.return({ kind: 'torn', at: 0 });
    }
  }

  async append(delta: Delta): Promise<void> {
    const { scenario, fromBlock, toBlock, tally } = delta;
    await this.write(encodeFrame({ kind: 'delta', scenario, fromBlock, toBlock, tally }));
  }

  async appendLive(rows: readonly LiveRow[]): Promise<void> {
    if (this.closed || rows.length === 0) return;
    await this.write(encodeFrame({ kind: 'live', rows: exactJsonText(rows) }));
  }

  async finish(): Promise<void> {
    if (this.finished) return;
    await this.write(endFrame());
    this.finished = true;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { file, target, release } = this.opened;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.syncing;
    try {
      await writing(file, () => target.sync());
      if (this.failure !== null) throw unwritable(file, fileProblem(this.failure), this.failure);
    } finally {
      await target.close().catch(() => undefined);
      await release().catch(() => undefined);
    }
  }

  /** Takes away what was not written whole. */
  private async cut({ kind, at }: FrameEnd): Promise<void> {
    const { file, files, frames } = this.opened;
    frames.position = at;
    if (kind === 'complete') return;
    await writing(file, () => files.truncate(file, at));
    const what = kind === 'torn' ? 'ends in the middle of a record' : 'is damaged';
    this.notice(`The journal ${file} ${what} ${at} bytes from its start; what followed is run again.`);
  }

  private async write(frame: Uint8Array): Promise<void> {
    const { file, frames } = this.opened;
    if (this.failure !== null) throw unwritable(file, fileProblem(this.failure), this.failure);
    await writing(file, () => frames.append(frame));
    this.timer ??= setTimeout(() => this.sync(), SYNC_MS).unref();
  }

  private sync(): void {
    this.timer = null;
    this.syncing = this.opened.target.sync().catch((error: unknown) => {
      this.failure = error;
    });
  }
}

function liveOf(value: object, file: string): readonly LiveRow[] {
  return shapedJson<readonly LiveRow[]>('rows' in value ? value.rows : null, liveRowsSchema) ?? unknownRecord(file);
}

/** The result that a frame holds. Throws `INTEGRITY` for what is none. */
export function deltaOf(value: unknown, file: string): Delta {
  const delta = shaped<Delta>(value, deltaSchema);
  if (delta?.tally instanceof Uint8Array) {
    const { scenario, fromBlock, toBlock, tally } = delta;
    return { scenario, fromBlock, toBlock, tally };
  }
  return unknownRecord(file);
}

function unknownRecord(file: string): never {
  // The checksum is right, so the file is not damaged: some other program wrote this frame.
  throw new PasskError('INTEGRITY', `The journal ${file} holds a record that is no result.`, {
    hint: 'Remove it and run again.',
  });
}

function writing<T>(file: string, action: () => Promise<T>): Promise<T> {
  return withFile(action, (reason, cause) => unwritable(file, reason, cause));
}

function unwritable(file: string, reason: string, cause: unknown): PasskError {
  return new PasskError('OUTPUT', `The journal cannot be written to ${file}: ${reason}.`, {
    hint: 'What it holds stays good: mend this, then continue with --resume.',
    cause,
  });
}
