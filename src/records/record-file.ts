import type { FileHandle } from 'node:fs/promises';
import { PasskError } from '../errors.ts';
import type { FileLayer, WritableFile } from './file-layer.ts';
import { fileProblem } from '../values/file-problem.ts';
import { encodeFrame, FRAME_HEAD, type FoundFrame, type FrameEnd, FrameReader } from './frame.ts';
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

/** The value of the first frame; undefined: it is not whole. */
export async function firstValue(pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
  for await (const { value } of framesIn(pieces)) return value;
  return undefined;
}

/** The value of the frame that begins there; undefined: no whole one does. */
export async function valueAt(handle: FileHandle, at: number): Promise<unknown> {
  const reader = new FrameReader();
  const head = await bytesAt(handle, at, FRAME_HEAD);
  reader.push(head);
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0, true);
  return reader.end().kind === 'corrupt' ? undefined : reader.push(await bytesAt(handle, at + FRAME_HEAD, length))[0];
}

async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
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
