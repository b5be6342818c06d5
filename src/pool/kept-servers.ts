/** The MCP servers that workers keep for the next pieces of one run, as its owner hears of what those pieces hold. */
export class KeptServers {
  private readonly until: AbortSignal;
  private identities: readonly string[] | null = null;
  private readonly listeners = new Set<() => void>();

  /** `until`: aborted when no more pieces come. */
  constructor(until: AbortSignal) {
    this.until = until;
    until.addEventListener('abort', () => this.tell(), { once: true });
  }

  /** Those that a later piece may ask, as `mcpIdentity` gives them, the same list as long as they are the same; null: any. */
  get needed(): readonly string[] | null {
    return this.until.aborted ? [] : this.identities;
  }

  /** Notes which are needed from now on. */
  need(identities: readonly string[]): void {
    const before = this.identities;
    const isFewer = before === null || before.some((identity) => !identities.includes(identity));
    if (!isFewer && before.length === identities.length) return;
    this.identities = identities;
    if (isFewer) this.tell();
  }

  /** Calls `listener` whenever one is needed no more. */
  onFewer(listener: () => void): void {
    this.listeners.add(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
