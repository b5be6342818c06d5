import { PasskError } from '../errors.ts';
import type { CallBill, CassettePlace } from '../types/cassette.ts';
import { type CassetteHead, draftOf, encodeCassetteHead, isCassette } from './cassette-head.ts';
import { type FileLayer, nodeFiles } from './file-layer.ts';
import { lockFile } from './file-lock.ts';
import { encodeFrame } from './frame.ts';
import { endFrame, firstValue, FrameAppender, withFile } from './record-file.ts';
import { putInPlace } from './write-file-whole.ts';

/** What the outside world answered to one trial; `scenario`: position in the head's list. */
export interface RecordedTrial extends CassettePlace {
  /** What its calls to real models used, by backend. */
  readonly bills: readonly CallBill[];
  /** Encoded by the worker that ran the trial. */
  readonly tape: Uint8Array;
}

/** A cassette while it is recorded. */
export interface CassetteWriter {
  /** Resolves when the system has the bytes. Throws `OUTPUT` when they cannot be written. */
  append(trial: RecordedTrial): Promise<void>;
  /** Gives the file its name. `complete`: no record is missing. */
  close(complete: boolean): Promise<void>;
  /** Removes what was recorded; an older cassette of this name stays. */
  discard(): Promise<void>;
}

/** Prompts and answers are private: only the user may read the file. */
const OWNER_ONLY = 0o600;

/**
 * Begins a cassette. Until it is closed it is written beside its place, as `FILE.partial`; what a run leaves there when
 * it is killed can be replayed as far as it goes. Throws when it cannot be written, is being recorded by another run, or stands
 * where something else is.
 */
export async function createCassette(
  file: string,
  head: CassetteHead,
  files: FileLayer = nodeFiles,
): Promise<CassetteWriter> {
  await requireReplaceable(file, files);
  const release = await writing(file, () => lockFile(`${file}.lock`, { files, noun: 'cassette' }));
  try {
    return await begin(file, head, { files, release });
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

async function begin(
  file: string,
  head: CassetteHead,
  { files, release }: { readonly files: FileLayer; readonly release: () => Promise<void> },
): Promise<CassetteWriter> {
  const draft = draftOf(file);
  const target = await writing(file, async () => {
    await files.remove(draft);
    return files.open(draft, 'wx', OWNER_ONLY);
  });
  const frames = new FrameAppender(draft, target, files);
  const hint = `--replay ${file} shows the trials that it holds.`;
  const write = (frame: Uint8Array): Promise<void> => writing(file, () => frames.append(frame), hint);
  await writing(file, () => frames.append(encodeCassetteHead(head, Date.now())));
  return {
    append: ({ scenario, trial, part, bills, tape }) =>
      write(encodeFrame({ kind: 'trial', scenario, trial, ...(part !== undefined && { part }), bills, tape })),
    async close(complete) {
      try {
        if (complete) await write(endFrame());
        await writing(file, () => target.sync());
        await target.close();
        await writing(file, () => putInPlace(draft, file, files));
      } finally {
        await target.close().catch(() => undefined);
        await release().catch(() => undefined);
      }
    },
    async discard() {
      await target.close().catch(() => undefined);
      await files.remove(draft).catch(() => undefined);
      await release().catch(() => undefined);
    },
  };
}

/** A cassette replaces another cassette, and no other file. */
async function requireReplaceable(file: string, files: FileLayer): Promise<void> {
  const kind = await writing(file, () => files.kindOf(file));
  if (kind === 'absent') return;
  if (kind === 'file' && isCassette(await writing(file, () => firstValue(files.read(file))))) return;
  throw new PasskError('USAGE', `${file} exists and is not a cassette, so it is left alone.`, {
    hint: 'Name another file with --record.',
  });
}

function writing<T>(file: string, action: () => Promise<T>, hint?: string): Promise<T> {
  return withFile(
    action,
    (reason, cause) =>
      new PasskError('OUTPUT', `The cassette cannot be written to ${file}: ${reason}.`, {
        cause,
        ...(hint !== undefined && { hint }),
      }),
  );
}
