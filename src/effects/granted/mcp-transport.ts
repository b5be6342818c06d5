import type { Transport } from '@modelcontextprotocol/client';

/** Why a server is lost that was closed from here: it may have been sound. */
export const CLOSED = 'was closed';

/** A way to one server, used once: lost or closed, it is thrown away. */
export interface McpTransport extends Transport {
  /** Why the server cannot be reached any more; null: as far as known, it can. */
  lost(): string | null;
  /** What it said besides the protocol, as the end of a sentence; empty: nothing. */
  said(): string;
  /** True: what went wrong when it started will go wrong again. */
  isHopeless(): boolean;
}
