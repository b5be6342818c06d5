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
import type { CanaryRelease } from '../types/canary/canary-report.ts';
import { TIERS } from '../types/release/release-rules.ts';

const FORMAT: RecordFormat = {
  kind: 'passk-canary',
  noun: 'the journal of a canary',
  format: 1,
  schema: Type.Object({
    configuration: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    candidate: Type.String(),
    rollout: Type.Optional(Type.String()),
    release: Type.Optional(
      Type.Object({
        name: Type.String(),
        version: Type.String(),
        tier: Type.Enum([...TIERS]),
        bodyHash: Type.String(),
        keyId: Type.String(),
      }),
    ),
  }),
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

/** What is known of a rollout since it began. */
export interface RolloutBeginning {
  /** Tells it from every other one of the same configuration; '': an older passk began it. */
  readonly rollout: string;
  /** Null: no record was shown. */
  readonly release: CanaryRelease | null;
}

/** What a journal says besides its entries. */
export interface JournalSurvey extends RolloutBeginning {
  /** Where its entries end. */
  readonly end: number;
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
 * another rollout, and `INTEGRITY` where it is damaged. Returns what else it says; null: there is no journal.
 */
async function* canaryEntries(
  file: string,
  identity: CanaryIdentity,
  files: FileLayer,
): AsyncGenerator<CanaryEntry, JournalSurvey | null, undefined> {
  if ((await reading(file, () => files.kindOf(file))) === 'absent') return null;
  const frames = framesIn(files.read(file));
  let begun: RolloutBeginning | null = null;
  try {
    for (;;) {
      const { value: found, done } = await reading(file, () => frames.next());
      if (done === true) {
        const end: FrameEnd = found;
        if (end.kind === 'corrupt' || begun === null) throw damaged(file, end.at);
        return { ...begun, end: end.at };
      }
      if (begun === null) {
        begun = beginningIn(found.value, { file, identity });
        continue;
      }
      const entry = shaped<CanaryEntry>(found.value, entrySchema);
      if (entry === null) throw damaged(file, found.at);
      yield entry;
    }
  } finally {
    // Where it is left early, the file is open.
    await frames.return({ kind: 'corrupt', at: 0 });
  }
}

/** Who hears of what a journal holds. */
export interface CanaryReplay {
  take(entry: CanaryEntry): void;
  /** After the last entry, before anything is written. `before`: null where the rollout begins. Gives what the journal says of it. */
  begin(before: RolloutBeginning | null): Promise<RolloutBeginning>;
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
    const before = await replayJournal(file, { identity, files }, (entry) => replay.take(entry));
    const { rollout, release: shown } = await replay.begin(before);
    const head = encodeHead(FORMAT, { ...identity, rollout, ...(shown !== null && { release: shown }) });
    const end = before?.end ?? null;
    if (end === null) await writing(file, () => writeFileWhole(file, head, files));
    const frames = await writing(file, async () => {
      if (end !== null) await files.truncate(file, end);
      target = await files.open(file, 'r+');
      return new FrameAppender(file, target, files);
    });
    frames.position = end ?? head.length;
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

/** Hands each entry on; resolves to what else the journal says, and to null where there is none. Rejects as opening it does. */
export async function replayJournal(
  file: string,
  { identity, files }: { readonly identity: CanaryIdentity; readonly files: FileLayer },
  replay: (entry: CanaryEntry) => void,
): Promise<JournalSurvey | null> {
  const entries = canaryEntries(file, identity, files);
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) return value;
    replay(value);
  }
}

/** What the head of a journal says. Throws `INPUT` for that of another rollout. */
function beginningIn(
  value: unknown,
  { file, identity }: { readonly file: string; readonly identity: CanaryIdentity },
): RolloutBeginning {
  const head = readHead<CanaryIdentity & Partial<RolloutBeginning>>(FORMAT, value);
  if (typeof head === 'string') {
    throw new PasskError('INPUT', `${file} ${head}.`, { hint: 'Name another file with --state.' });
  }
  if (head.configuration === identity.configuration) {
    return { rollout: head.rollout ?? '', release: head.release ?? null };
  }
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
