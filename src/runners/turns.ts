/** Does one thing at a time, in the order in which they are asked for. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const taken = this.#last.then(work);
    this.#last = taken.then(
      () => undefined,
      () => undefined,
    );
    return taken;
  }
}
