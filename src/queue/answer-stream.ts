import type { Redis } from 'ioredis';

/** A connection that is silent for so long is broken. Each read waits for a fraction of this time. */
const READ_MS = 10_000;

/** The stream of answers of one run, read by its host; what has been read is removed. */
export class AnswerStream {
  private readonly key: string;
  /** A connection of its own: reading blocks it. */
  private readonly reader: Redis;
  private readonly client: Redis;
  private lastId = '0';

  constructor({ key, reader, client }: { readonly key: string; readonly reader: Redis; readonly client: Redis }) {
    this.key = key;
    this.reader = reader;
    this.client = client;
  }

  /** Hands over the frames that have come since the last call, and waits so long for the first. Resolves to their number. */
  async read(waitMs: number, take: (frame: Buffer | undefined) => void): Promise<number> {
    // A connection can be cut without notice: waiting for it would never end.
    const late = setTimeout(() => this.reader.disconnect(true), READ_MS).unref();
    const reply = this.reader.xreadBuffer('COUNT', 64, 'BLOCK', waitMs, 'STREAMS', this.key, this.lastId);
    const streams = await reply.finally(() => clearTimeout(late));
    const ids: string[] = [];
    for (const [, entries] of streams ?? []) {
      for (const [id, fields] of entries) {
        ids.push(id.toString());
        take(fields[1]);
      }
    }
    const last = ids.at(-1);
    if (last === undefined) return 0;
    this.lastId = last;
    await this.client.xdel(this.key, ...ids);
    return ids.length;
  }

  /** Reads from the start again, after Redis has lost its data. */
  restart(): void {
    this.lastId = '0';
  }

  close(): void {
    this.reader.disconnect();
  }
}
