import { Buffer } from 'node:buffer';
import { fstatSync, writeSync } from 'node:fs';
import process from 'node:process';

/** Where text is printed to: a stream of Node, or what is written to at once. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array, done?: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * Standard output (1) or standard error (2). Pipes and files are written to without Node's streams, which write to them
 * synchronously too, but take longer to load than a small run; `stream` gives the stream for everything else.
 */
export function openOutput(descriptor: 1 | 2, stream: () => Output): Output {
  return isPipeOrFile(descriptor) ? new PlainOutput(descriptor, stream) : stream();
}

function isPipeOrFile(descriptor: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    // It is closed: Node has something in its place.
    return false;
  }
}

class PlainOutput implements Output {
  private readonly descriptor: number;
  private readonly stream: () => Output;
  private readonly listeners: ((error: Error) => void)[] = [];
  /** Set once the other side does not take all at once. */
  private taken: Output | null = null;

  constructor(descriptor: number, stream: () => Output) {
    this.descriptor = descriptor;
    this.stream = stream;
  }

  on(_event: 'error', listener: (error: Error) => void): void {
    this.listeners.push(listener);
  }

  write(text: string | Uint8Array, done: () => void = () => {}): void {
    if (this.taken !== null) {
      this.taken.write(text, done);
      return;
    }
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.descriptor, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code === 'EAGAIN') {
        this.handOver(bytes.subarray(written), done);
        return;
      }
      for (const listener of this.listeners) listener(error);
    }
    done();
  }

  /** Whoever shares the pipe has made it refuse to wait; a stream waits without being told to. */
  private handOver(rest: Uint8Array, done: () => void): void {
    this.taken = this.stream();
    for (const listener of this.listeners) this.taken.on('error', listener);
    this.taken.write(rest, done);
  }
}
