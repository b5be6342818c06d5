import { Decoder, Encoder } from '@msgpack/msgpack';
import { PasskError } from '../errors.ts';
import { crc32c } from './crc32c.ts';

/**
 * A frame is 12 bytes of head and a MessagePack payload, all numbers little-endian:
 * length of the payload, CRC-32C of the payload, CRC-32C of the eight bytes before.
 * The head has a checksum of its own, so a damaged length is noticed before it is used.
 */
export const FRAME_HEAD = 12;
/** Longest payload; more is refused when written and damage when read. */
export const MAX_PAYLOAD = 64 * 1024 * 1024;

const encoder = new Encoder({ ignoreUndefined: true });
const decoder = new Decoder({
  maxStrLength: MAX_PAYLOAD,
  maxBinLength: MAX_PAYLOAD,
  maxArrayLength: MAX_PAYLOAD,
  maxMapLength: 1024,
  maxExtLength: 0,
});

/** One value as a frame; the array owns its memory. Throws `OUTPUT` when the payload is too long. */
export function encodeFrame(value: unknown): Uint8Array<ArrayBuffer> {
  const payload = encoder.encodeSharedRef(value);
  if (payload.length > MAX_PAYLOAD) {
    throw new PasskError('OUTPUT', `One record has ${payload.length} bytes; at most ${MAX_PAYLOAD} can be written.`);
  }
  const frame = new Uint8Array(FRAME_HEAD + payload.length);
  const head = new DataView(frame.buffer);
  head.setUint32(0, payload.length, true);
  head.setUint32(4, crc32c(payload), true);
  head.setUint32(8, crc32c(frame.subarray(0, 8)), true);
  frame.set(payload, FRAME_HEAD);
  return frame;
}

/** How a file of frames ends: cleanly, in the middle of a frame, or with bytes that are not what was written. */
export interface FrameEnd {
  readonly kind: 'complete' | 'torn' | 'corrupt';
  /** Bytes before this one are whole frames. */
  readonly at: number;
}

/** Where a frame stands in its file. */
export interface FramePlace {
  /** Bytes before it. */
  readonly at: number;
  /** Bytes of its head and its payload. */
  readonly length: number;
}

export interface FoundFrame extends FramePlace {
  readonly value: unknown;
}

/** Cuts a stream of bytes, given in pieces of any size, into the values of its frames. Nothing after damage is read. */
export class FrameReader {
  private pieces: Uint8Array[] = [];
  private held = 0;
  private wanted = FRAME_HEAD;
  private corrupt = false;
  /** Bytes of the whole frames that have been read. */
  at = 0;

  /** Takes the next bytes; returns the values of the frames they complete. */
  push(piece: Uint8Array): unknown[] {
    return this.pushFrames(piece).map(({ value }) => value);
  }

  /** The same with the place of each frame in the stream. */
  pushFrames(piece: Uint8Array): FoundFrame[] {
    if (this.corrupt || piece.length === 0) return [];
    this.pieces.push(piece);
    this.held += piece.length;
    if (this.held < this.wanted) return [];
    const bytes = this.pieces.length === 1 ? piece : joined(this.pieces, this.held);
    const frames: FoundFrame[] = [];
    let from = 0;
    for (let next = this.next(bytes, from, frames); next !== null; next = this.next(bytes, from, frames)) from = next;
    this.pieces = this.corrupt ? [] : [new Uint8Array(bytes.subarray(from))];
    this.held = bytes.length - from;
    return frames;
  }

  /** How the file ends. Call it after the last bytes. */
  end(): FrameEnd {
    if (this.corrupt) return { kind: 'corrupt', at: this.at };
    return { kind: this.held === 0 ? 'complete' : 'torn', at: this.at };
  }

  /** Where the frame after this one begins; null when this one is not whole or not sound. */
  private next(bytes: Uint8Array, from: number, frames: FoundFrame[]): number | null {
    this.wanted = FRAME_HEAD;
    if (bytes.length - from < FRAME_HEAD) return null;
    const head = new DataView(bytes.buffer, bytes.byteOffset + from, FRAME_HEAD);
    const length = head.getUint32(0, true);
    const sound = head.getUint32(8, true) === crc32c(bytes.subarray(from, from + 8));
    if (!sound || length === 0 || length > MAX_PAYLOAD) return this.damaged();
    this.wanted = FRAME_HEAD + length;
    if (bytes.length - from < this.wanted) return null;
    const payload = bytes.subarray(from + FRAME_HEAD, from + this.wanted);
    if (head.getUint32(4, true) !== crc32c(payload)) return this.damaged();
    try {
      // A copy: what is decoded keeps its binary parts, which must not keep the whole file (and slices of Buffers do).
      frames.push({ value: decoder.decode(new Uint8Array(payload)), at: this.at, length: this.wanted });
    } catch {
      return this.damaged();
    }
    this.at += this.wanted;
    return from + this.wanted;
  }

  private damaged(): null {
    this.corrupt = true;
    return null;
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
