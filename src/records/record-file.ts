import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PasskError } from '../errors.ts';
import type { FileLayer, WritableFile } from './file-layer.ts';
import { fileProblem } from '../values/file-problem.ts';
import { encodeFrame, type FoundFrame, type FrameEnd, type FramePlace, FrameReader } from './frame.ts';
import { writeFully } from './write-file-whole.ts';

/** The frames of a file in order, up to the first damage; returns how they end. */
export async function* framesIn(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<FoundFrame, FrameEnd, undefined> {
  const reader = new FrameReader();
  for await (const piece of pieces) {
    yield* reader.pushFrames(piece);
    if (reader.end().kind === 'corrupt') break;
  }
  return reader.end();
}

/**
 * Hands over the frames of a file in order, up to the first damage; resolves to how they end. The file is closed, whatever is
 * thrown.
 */
export async function eachFrame(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: (frame: FoundFrame) => void,
): Promise<FrameEnd> {
  const frames = framesIn(pieces);
  try {
    for (;;) {
      const { done, value } = await frames.next();
      if (done === true) return value;
      take(value);
    }
  } finally {
    await frames.return({ kind: 'torn', at: 0 });
  }
}

/** The value of the first frame; undefined: it is not whole. */
export async function firstValue(pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
  for await (const { value } of framesIn(pieces)) return value;
  return undefined;
}

/**
 * The value of the frame that stands there; undefined: no whole one does. Reads at once: whoever knows the place has read the
 * file before, so that the system mostly holds it, and a promise costs more than the read.
 */
export function valueAt({ fd }: FileHandle, { at, length }: FramePlace): unknown {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const count = readSync(fd, bytes, done, length - done, at + done);
    if (count === 0) return undefined;
    done += count;
  }
  return new FrameReader().push(bytes)[0];
}

/** True for the value of a frame of this kind. */
export function isFrame(value: unknown, kind: string): value is object {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

/** The last frame of a file that is complete. */
export function endFrame(): Uint8Array {
  return encodeFrame({ kind: 'end' });
}

/** Appends frames to a file, one after the other in the order of the calls. */
export class FrameAppender {
  private readonly file: string;
  private readonly files: FileLayer;
  private readonly target: WritableFile;
  private last: Promise<void> = Promise.resolve();
  /** Where the next frame begins. */
  position = 0;

  constructor(file: string, target: WritableFile, files: FileLayer) {
    this.file = file;
    this.target = target;
    this.files = files;
  }

  /** Resolves when the system has the bytes: they survive the process. After a failure the file ends before the frame. */
  append(frame: Uint8Array): Promise<void> {
    const written = this.last.then(() => this.write(frame));
    this.last = written.catch(() => undefined);
    return written;
  }

  private async write(frame: Uint8Array): Promise<void> {
    try {
      await writeFully(this.target, frame, this.position);
    } catch (cause) {
      // Readers leave out a cut frame, and say so; without it they have nothing to say.
      await this.files.truncate(this.file, this.position).catch(() => undefined);
      throw cause;
    }
    this.position += frame.length;
  }
}

/** Does something with a file. Where the system refuses, throws what `problem` makes of the reason. */
export async function withFile<T>(
  action: () => Promise<T>,
  problem: (reason: string, cause: unknown) => PasskError,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof PasskError ? error : problem(fileProblem(error), error);
  }
}
