import { createHash } from 'node:crypto';
import type { AnswerReuse, LiveAddress } from '../intelligence/live/live-models.ts';
import type { LiveAnswer } from '../intelligence/live/live-call.ts';
import { type AnswerStore, openAnswerStore } from '../records/answer-store.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import { messageOf } from '../values/message-of.ts';

/** Which call of a run it is. */
type CallPlace = Pick<LiveAddress, 'words' | 'backend' | 'trial' | 'node' | 'visit' | 'attempt'> & {
  readonly walk: string;
};

/**
 * Answers of real models that earlier runs kept. An answer belongs to one call of one trial: of the same seed, scenario,
 * node and visit, to the same request. No other trial gets it, so that trials stay independent of each other, and what is
 * asked again and again in one trial gets as many answers.
 */
export class AnswerCache {
  private readonly store: AnswerStore;
  /** How often each call of this run was made, by key. */
  private readonly asked = new Map<string, number>();
  private problem: string | null = null;

  private constructor(store: AnswerStore) {
    this.store = store;
  }

  static async open(folder: string): Promise<AnswerCache> {
    return new AnswerCache(await openAnswerStore(folder));
  }

  /** What one call finds and keeps. */
  of(place: CallPlace): AnswerReuse {
    let key = '';
    return {
      find: async (request) => {
        key = this.keyOf(place, request);
        // Written by `keep`, and the checksum of its frame holds.
        return ((await this.store.find(key)) as unknown as Extract<LiveAnswer, { kind: 'answer' }> | undefined) ?? null;
      },
      keep: async (answer) => {
        try {
          // Plain data by its type.
          if (this.problem === null) await this.store.keep(key, answer as unknown as Json);
        } catch (error) {
          this.problem = messageOf(error);
        }
      },
    };
  }

  /** A run is as good without its answers being kept; its user hears of it. */
  notices(): readonly Issue[] {
    if (this.problem === null) return [];
    return [
      {
        code: 'cache_not_written',
        severity: 'warning',
        message: this.problem,
        hint: 'The answers are in this report all the same.',
      },
    ];
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private keyOf({ words, backend, trial, walk, node, visit, attempt }: CallPlace, request: string): string {
    const hash = createHash('sha256');
    hash.update(JSON.stringify([words, backend, trial, walk, node, visit, attempt]));
    const key = hash.update(request).digest('base64url');
    const before = this.asked.get(key) ?? 0;
    this.asked.set(key, before + 1);
    return before === 0 ? key : `${key} ${before}`;
  }
}
