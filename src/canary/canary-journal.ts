import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { FileLayer, WritableFile } from '../records/file-layer.ts';
import { encodeFrame, type FrameEnd } from '../records/frame.ts';
import { lockFile } from '../records/file-lock.ts';
import { FrameAppender, framesIn, withFile } from '../records/record-file.ts';
import { encodeHead, readHead, type RecordFormat } from '../records/record-head.ts';
import { shaped } from '../records/shaped.ts';
import { writeFileWhole } from '../records/write-file-whole.ts';
import { Type } from '../source/schema-type.ts';

const FORMAT: RecordFormat = {
  kind: 'passk-canary',
  noun: 'the journal of a canary',
  format: 1,
  schema: Type.Object({ configuration: Type.String({ pattern: '^[0-9a-f]{64}$' }), candidate: Type.String() }),
};

/** Lines that were read at one time, with how many others only repeated lines before them; or the end of a step. */
export type CanaryEntry =
  | { readonly kind: 'lines'; readonly atMs: number; readonly lines: readonly string[]; readonly doubles: number }
  | { readonly kind: 'step' };

const entrySchema = Type.Union([
  Type.Object({
    kind: Type.Literal('lines'),
    atMs: Type.Number(),
    lines: Type.Array(Type.String()),
    doubles: Type.Integer({ minimum: 0 }),
  }),
  Type.Object({ kind: Type.Literal('step') }),
]);

/** Which rollout a journal is of. */
export interface CanaryIdentity {
  readonly configuration: string;
  readonly candidate: string;
}

/** Every line that a rollout was given, in order: the rollout is what follows from them. */
export interface CanaryJournal {
  /** Resolves when the system has the entry: it survives the process. Rejects with `OUTPUT` where it cannot be written. */
  append(entry: CanaryEntry): Promise<void>;
  /** Resolves when all of it survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The entries of a journal; what a process that was killed had begun to write is left out. Throws `INPUT` where it is of
 * another rollout, and `INTEGRITY` where it is damaged. Returns where they end; null: there is no journal.
 */
export async function* canaryEntries(
  file: string,
  identity: CanaryIdentity,
  files: FileLayer,
): AsyncGenerator<CanaryEntry, number | null, undefined> {
  if ((await reading(file, () => files.kindOf(file))) === 'absent') return null;
  const frames = framesIn(files.read(file));
  let isHead = true;
  for (;;) {
    const { value: found, done } = await reading(file, () => frames.next());
    if (done === true) {
      const end: FrameEnd = found;
      if (end.kind === 'corrupt' || isHead) throw damaged(file, end.at);
      return end.at;
    }
    if (isHead) {
      refuseOther(found.value, { file, identity });
      isHead = false;
      continue;
    }
    const entry = shaped<CanaryEntry>(found.value, entrySchema);
    if (entry === null) throw damaged(file, found.at);
    yield entry;
  }
}

/** Who hears of what a journal holds. */
export interface CanaryReplay {
  take(entry: CanaryEntry): void;
  /** After the last entry, before anything is written. */
  end(): Promise<void>;
}

/** Opens or begins a journal to append to it, once its entries have been read up to `end`. Nobody else may write it then. */
export async function openCanaryJournal(
  file: string,
  { identity, files }: { readonly identity: CanaryIdentity; readonly files: FileLayer },
  replay: CanaryReplay,
): Promise<CanaryJournal> {
  const release = await writing(file, async () => {
    await files.makeFolder(path.dirname(file));
    return lockFile(`${file}.lock`, { files, noun: 'journal' });
  });
  let target: WritableFile | null = null;
  try {
    const end = await replayed(file, { identity, files }, (entry) => replay.take(entry));
    await replay.end();
    if (end === null) await writing(file, () => writeFileWhole(file, encodeHead(FORMAT, { ...identity }), files));
    const frames = await writing(file, async () => {
      if (end !== null) await files.truncate(file, end);
      target = await files.open(file, 'r+');
      return new FrameAppender(file, target, files);
    });
    frames.position = end ?? encodeHead(FORMAT, { ...identity }).length;
    const opened: WritableFile = target as unknown as WritableFile;
    return {
      append: (entry) => writing(file, () => frames.append(encodeFrame(entry))),
      sync: () => writing(file, () => opened.sync()),
      close: async () => {
        await opened.close().catch(() => undefined);
        await release();
      },
    };
  } catch (error) {
    await (target as WritableFile | null)?.close().catch(() => undefined);
    await release().catch(() => undefined);
    throw error;
  }
}

/** Hands each entry on; resolves to where they end. */
async function replayed(
  file: string,
  { identity, files }: { readonly identity: CanaryIdentity; readonly files: FileLayer },
  replay: (entry: CanaryEntry) => void,
): Promise<number | null> {
  const entries = canaryEntries(file, identity, files);
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) return value;
    replay(value);
  }
}

function refuseOther(
  value: unknown,
  { file, identity }: { readonly file: string; readonly identity: CanaryIdentity },
): void {
  const head = readHead<CanaryIdentity>(FORMAT, value);
  if (typeof head === 'string') {
    throw new PasskError('INPUT', `${file} ${head}.`, { hint: 'Name another file with --state.' });
  }
  if (head.configuration === identity.configuration) return;
  const other = head.candidate === identity.candidate ? 'another configuration' : `the candidate ${head.candidate}`;
  throw new PasskError('INPUT', `${file} is of ${other}.`, {
    hint: 'Bars do not change while a candidate is on its way: name another file with --state, and begin anew.',
  });
}

function damaged(file: string, at: number): PasskError {
  return new PasskError('INTEGRITY', `${file} is damaged at byte ${at}.`, {
    hint: 'Somebody else wrote it, or the disk failed. Move it away, and give all outcomes again.',
  });
}

function reading<T>(file: string, action: () => Promise<T>): Promise<T> {
  return withFile(action, (reason, cause) => new PasskError('INPUT', `${file} cannot be read: ${reason}.`, { cause }));
}

function writing<T>(file: string, action: () => Promise<T>): Promise<T> {
  return withFile(
    action,
    (reason, cause) =>
      new PasskError('OUTPUT', `${file} cannot be written: ${reason}.`, {
        hint: 'Make room or name another file with --state; what was read before counts.',
        cause,
      }),
  );
}
