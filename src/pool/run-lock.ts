/** Lets one run at a time use the workers; the others wait in the order in which they asked. */
export class RunLock {
  private last: Promise<void> = Promise.resolve();

  /** Resolves to what gives the turn back. */
  async take(): Promise<() => void> {
    const before = this.last;
    let release: () => void = () => {};
    this.last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}
