import { Buffer } from 'node:buffer';
import { fstatSync, writeSync } from 'node:fs';
import process from 'node:process';

/** Where text is printed to: a stream of Node, or a pipe or file that is written to directly. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array, done?: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * Standard output (1) or standard error (2). Pipes and files are written to without Node's streams, which write to them
 * synchronously too, but take longer to load than a small run; `openStream` gives the stream for everything else.
 */
export function openOutput(descriptor: 1 | 2, openStream: () => Output): Output {
  return isPipeOrFile(descriptor) ? new PlainOutput(descriptor, openStream) : openStream();
}

function isPipeOrFile(descriptor: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    // It is closed. Node's stream stands in for it.
    return false;
  }
}

class PlainOutput implements Output {
  private readonly descriptor: number;
  private readonly openStream: () => Output;
  private readonly listeners: ((error: Error) => void)[] = [];
  /** Takes all further text once the reader was too slow for one write; null: it never was. */
  private nodeStream: Output | null = null;

  constructor(descriptor: number, openStream: () => Output) {
    this.descriptor = descriptor;
    this.openStream = openStream;
  }

  on(_event: 'error', listener: (error: Error) => void): void {
    this.listeners.push(listener);
  }

  write(text: string | Uint8Array, done: () => void = () => {}): void {
    if (this.nodeStream !== null) {
      this.nodeStream.write(text, done);
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

  /** The pipe is full, and another process has set it not to block. A stream of Node waits until it has room. */
  private handOver(rest: Uint8Array, done: () => void): void {
    this.nodeStream = this.openStream();
    for (const listener of this.listeners) this.nodeStream.on('error', listener);
    this.nodeStream.write(rest, done);
  }
}
