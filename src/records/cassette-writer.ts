import { PasskError } from '../errors.ts';
import type { CallBill } from '../types/cassette.ts';
import { type CassetteHead, encodeCassetteHead, readCassetteHead } from './cassette-head.ts';
import { type FileLayer, fileProblem, nodeFiles, type WritableFile } from './file-layer.ts';
import { encodeFrame, FrameReader } from './frame.ts';
import { writeFully } from './write-file-whole.ts';

/** What the outside world answered to one trial. */
export interface RecordedTrial {
  /** Position in the head's list. */
  readonly scenario: number;
  readonly trial: number;
  /** What its calls to real models came to, by backend. */
  readonly bills: readonly CallBill[];
  /** As the worker that ran it encoded it. */
  readonly tape: Uint8Array;
}

/** A cassette while it is recorded. */
export interface CassetteWriter {
  /** Resolves when the system has the bytes. Throws `OUTPUT` when they cannot be written. */
  append(trial: RecordedTrial): Promise<void>;
  /** Puts the file where it belongs. `complete`: nothing is missing in it. */
  close(complete: boolean): Promise<void>;
  /** Takes it away; what stood in its place before stays. */
  discard(): Promise<void>;
}

/** Prompts and answers are nobody else's business. */
const OWNER_ONLY = 0o600;

/**
 * Begins a cassette. Until it is closed it is written beside its place, as `FILE.partial`; what a run leaves there when
 * it is killed can be replayed as far as it goes. Throws when it cannot be written, or stands where something else is.
 */
export async function createCassette(
  file: string,
  head: CassetteHead,
  files: FileLayer = nodeFiles,
): Promise<CassetteWriter> {
  await requireReplaceable(file, files);
  const draft = `${file}.partial`;
  const target = await guarded(file, async () => {
    await files.remove(draft);
    return files.open(draft, 'wx', OWNER_ONLY);
  });
  const writer = new FileCassette(target, { file, draft, files });
  await writer.write(encodeCassetteHead(head, Date.now()));
  return writer;
}

class FileCassette implements CassetteWriter {
  private readonly target: WritableFile;
  private readonly names: { readonly file: string; readonly draft: string; readonly files: FileLayer };
  private position = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(target: WritableFile, names: FileCassette['names']) {
    this.target = target;
    this.names = names;
  }

  append({ scenario, trial, bills, tape }: RecordedTrial): Promise<void> {
    return this.write(encodeFrame({ kind: 'trial', scenario, trial, bills, tape }));
  }

  async close(complete: boolean): Promise<void> {
    const { file, draft, files } = this.names;
    try {
      if (complete) await this.write(encodeFrame({ kind: 'end' }));
      await guarded(file, () => this.target.sync());
    } finally {
      await this.target.close().catch(() => undefined);
    }
    await guarded(file, () => files.rename(draft, file));
  }

  async discard(): Promise<void> {
    await this.target.close().catch(() => undefined);
    await this.names.files.remove(this.names.draft).catch(() => undefined);
  }

  /** One after the other, in the order of the calls. */
  write(frame: Uint8Array): Promise<void> {
    const { target } = this;
    const at = this.position;
    this.position += frame.length;
    const written = this.last.then(() => guarded(this.names.file, () => writeFully(target, frame, at)));
    this.last = written.catch(() => undefined);
    return written;
  }
}

/** Only a cassette makes way for a cassette. */
async function requireReplaceable(file: string, files: FileLayer): Promise<void> {
  const kind = await guarded(file, () => files.kindOf(file));
  if (kind === 'absent') return;
  try {
    if (kind === 'file') return void readCassetteHead(await firstValue(file, files), file);
  } catch (error) {
    if (!(error instanceof PasskError)) throw unwritable(file, error);
  }
  throw new PasskError('USAGE', `${file} exists and is not a cassette, so it is left alone.`, {
    hint: 'Name another file with --record.',
  });
}

async function firstValue(file: string, files: FileLayer): Promise<unknown> {
  const reader = new FrameReader();
  for await (const piece of files.read(file)) {
    const [value] = reader.push(piece);
    if (value !== undefined || reader.end().kind === 'corrupt') return value;
  }
  return undefined;
}

async function guarded<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, cause: unknown): PasskError {
  return new PasskError('OUTPUT', `The cassette cannot be written to ${file}: ${fileProblem(cause)}.`, { cause });
}
