import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { RecordedFile } from '../types/recording.ts';

/** Files that stay open at a time. */
const MOST_OPEN = 64;

/** Bytes of files that were looked at before the run: they are opened when they are first read, and must have their length still. */
export class RecordedFiles {
  private readonly folder: string;
  /** Descriptors by position, the one that was opened last at the end. */
  private readonly open = new Map<number, number>();
  private readonly files: readonly Pick<RecordedFile, 'name' | 'bytes'>[];

  /** `folder`: absolute, which names are relative to. */
  constructor(folder: string, files: readonly Pick<RecordedFile, 'name' | 'bytes'>[]) {
    this.folder = folder;
    this.files = files;
  }

  /** Bytes from … to − 1 of the file at this position. Throws where they are not there any more. */
  read(file: number, from: number, to: number): Uint8Array {
    const buffer = Buffer.allocUnsafe(to - from);
    const descriptor = this.descriptorOf(file);
    for (let done = 0; done < buffer.length; ) {
      const count = readSync(descriptor, buffer, done, buffer.length - done, from + done);
      if (count === 0) throw this.changed(file);
      done += count;
    }
    return buffer;
  }

  close(): void {
    for (const descriptor of this.open.values()) closeSync(descriptor);
    this.open.clear();
  }

  private descriptorOf(at: number): number {
    const openDescriptor = this.open.get(at);
    if (openDescriptor !== undefined) return openDescriptor;
    const file = this.files[at];
    if (file === undefined) throw new RangeError(`There is no file ${at}.`);
    for (const [oldest, descriptor] of this.open) {
      if (this.open.size < MOST_OPEN) break;
      closeSync(descriptor);
      this.open.delete(oldest);
    }
    const descriptor = openSync(path.resolve(this.folder, file.name), 'r');
    this.open.set(at, descriptor);
    if (fstatSync(descriptor).size !== file.bytes) throw this.changed(at);
    return descriptor;
  }

  private changed(at: number): Error {
    return new Error(`${this.files[at]?.name} has changed since the run began.`);
  }
}
