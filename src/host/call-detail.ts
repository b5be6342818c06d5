import type { CallModelOptions } from '../intelligence/live/live-models.ts';
import type { JsonObject } from '../types/json.ts';
import type { MessagePart } from '../types/message.ts';
import type { RetriedAttempt } from '../types/model-test.ts';

/** When what of one call to a real model arrived, and which attempts failed before. */
export class CallDetail {
  readonly options: Pick<CallModelOptions, 'onPart' | 'onRetry'>;
  private startedAt = performance.now();
  private chunks: { readonly atMs: number; readonly part: MessagePart }[] = [];
  private readonly retried: RetriedAttempt[] = [];

  constructor() {
    this.options = {
      onPart: (part) => this.chunks.push({ atMs: this.sinceStart(), part }),
      onRetry: ({ message, isLate, status }, waitMs) => {
        const why = isLate === true ? 'timed_out' : 'error';
        this.retried.push({
          why,
          code: status === undefined ? null : String(status),
          message,
          waitedMs: Math.round(waitMs),
        });
        // What a broken answer brought is none of the next one's.
        this.chunks = [];
        this.startedAt = performance.now() + waitMs;
      },
    };
  }

  /** Of the last attempt. */
  data(): JsonObject {
    const { chunks, retried } = this;
    // Plain data by its types.
    return { latencyMs: this.sinceStart(), chunks, retried } as unknown as JsonObject;
  }

  private sinceStart(): number {
    return Math.max(0, Math.round((performance.now() - this.startedAt) * 1000) / 1000);
  }
}
