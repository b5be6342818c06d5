import { McpLink, type McpLinkOptions } from './mcp-link.ts';

/** Idle servers that a worker keeps. */
const MOST_IDLE = 8;

export interface McpLinkName {
  /** All that makes a server another one. */
  readonly key: string;
  /** As `mcpIdentity` gives it. */
  readonly identity: string;
}

export interface McpLinksOptions {
  /** Idle servers that are kept; default 8. */
  readonly mostIdle?: number;
}

interface Held {
  readonly link: McpLink;
  /** Requests that are out. */
  users: number;
  /** As `mcpIdentity` gives them: by what scenarios declare it. */
  readonly identities: Set<string>;
}

/**
 * The MCP servers of one worker: one for each command or address, whichever scenarios name it. Some idle ones are kept as long
 * as scenarios need them; of more, the one that was used longest ago is ended first, and started again when a request needs it.
 */
export class McpLinks {
  readonly #mostIdle: number;
  /** Those that were asked last stand last. */
  readonly #held = new Map<string, Held>();
  #closing: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ mostIdle = MOST_IDLE }: McpLinksOptions = {}) {
    this.#mostIdle = mostIdle;
  }

  /** Does the work with the link of that name; null: all is closed. */
  async use<T>(
    { key, identity }: McpLinkName,
    options: McpLinkOptions,
    work: (link: McpLink) => Promise<T>,
  ): Promise<T | null> {
    if (this.#isClosed) return null;
    const held = this.#held.get(key) ?? { link: new McpLink(options), users: 0, identities: new Set() };
    held.identities.add(identity);
    this.#held.delete(key);
    this.#held.set(key, held);
    held.users++;
    try {
      return await work(held.link);
    } finally {
      held.users--;
      this.#endIdle();
    }
  }

  /** Ends those that no request is out to, and that nobody needs any more by any identity. */
  endUnneeded(isNeeded: (identity: string) => boolean): void {
    for (const [key, { link, users, identities }] of this.#held) {
      if (users > 0 || link.isWaiting) continue;
      if (![...identities].some(isNeeded)) this.#end(key, link);
    }
  }

  /** Leaves no process and no connection behind. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const links = [...this.#held.values()].map(({ link }) => link);
    this.#held.clear();
    await Promise.allSettled([this.#closing, ...links.map((link) => link.close())]);
  }

  #endIdle(): void {
    const idle = [...this.#held].filter(([, { link, users }]) => users === 0 && !link.isWaiting);
    for (const [key, { link }] of idle.slice(0, Math.max(0, idle.length - this.#mostIdle))) this.#end(key, link);
  }

  #end(key: string, link: McpLink): void {
    this.#held.delete(key);
    this.#closing = Promise.allSettled([this.#closing, link.close()]);
  }
}
