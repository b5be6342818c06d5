/** What answers questions until it ends or is ended. */
export interface Answerer {
  readonly isOver: boolean;
  /** Settles when it has no question to answer any more. */
  idle(): Promise<void>;
  end(): Promise<void>;
}

/** Keeps one answerer: started when it is asked for and none is there, and replaced when it is over or was retired. */
export class Standing<T extends Answerer> {
  readonly #start: (signal: AbortSignal) => Promise<T>;
  readonly #closing = new AbortController();
  /** All that are not gone yet. */
  readonly #living = new Map<T, Promise<void> | null>();
  #current: Promise<T> | null = null;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#start = start;
  }

  /** Rejects with why it does not start; the next call tries again. */
  async get(): Promise<T> {
    const current = await (this.#current ?? this.#begin());
    if (!current.isOver) return current;
    this.retire(current);
    return this.#current ?? this.#begin();
  }

  /** From now on another answers. It goes on with what it has been asked, and is ended then. */
  retire(one: T): void {
    if (this.#living.get(one) !== null) return;
    this.#current = null;
    const leaving = one.idle().then(() => one.end());
    this.#living.set(one, leaving);
    void leaving.finally(() => this.#living.delete(one));
  }

  /** Ends them all. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('It was closed.'));
    await this.#current?.catch(() => undefined);
    await Promise.allSettled([...this.#living.keys()].map((one) => one.end()));
  }

  #begin(): Promise<T> {
    const begun = this.#begun();
    this.#current = begun;
    begun.catch(() => {
      if (this.#current === begun) this.#current = null;
    });
    return begun;
  }

  async #begun(): Promise<T> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const one = await this.#start(signal);
    this.#living.set(one, null);
    return one;
  }
}
