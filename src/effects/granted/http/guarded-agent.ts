import type { Agent } from 'undici';
import { guardedConnector, type GuardedConnectorOptions } from './guarded-connector.ts';

/** Connections that stay open between requests, each only to addresses that were judged. */
export interface GuardedAgent {
  readonly dispatcher: Agent;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

export interface GuardedAgentOptions extends GuardedConnectorOptions {
  /** Bytes of a response's headers and of its body; absent: undici's own. */
  readonly limits?: Pick<Agent.Options, 'maxHeaderSize' | 'maxResponseSize'>;
}

/**
 * Opens one. A request lasts until its signal ends it: some tools and models take their time, and a limit per chunk would let a
 * slow server go on for ever.
 */
export async function openGuardedAgent({ limits, ...options }: GuardedAgentOptions): Promise<GuardedAgent> {
  const connector = await guardedConnector(options);
  const { Agent: PooledAgent } = await import('undici');
  const dispatcher = new PooledAgent({ connect: connector.connect, headersTimeout: 0, bodyTimeout: 0, ...limits });
  return {
    dispatcher,
    close: async () => {
      connector.end();
      await dispatcher.destroy();
    },
  };
}
