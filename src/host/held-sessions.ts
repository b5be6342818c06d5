import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import type { SessionPayload } from '../types/agent.ts';
import type { SessionClient } from './session-client.ts';

/** Sessions that go on. Each has a connection to its agent, which is given back where a worker dies, too. */
export class HeldSessions {
  private readonly clientOf: (payload: SessionPayload) => SessionClient;
  private readonly names = new Map<string, Promise<string>>();

  constructor(clientOf: (payload: SessionPayload) => SessionClient) {
    this.clientOf = clientOf;
  }

  /** Settles when nobody waits for the session any more. */
  readonly hold: HostFunction = async (value, signal) => {
    const payload = value as unknown as SessionPayload;
    const client = this.clientOf(payload);
    const room = client.enter(signal);
    const name = room.then(() => client.begin(signal));
    // Whoever asks for the name is told why there is none.
    name.catch(() => undefined);
    this.names.set(keyOf(payload), name);
    try {
      await room;
      await aborted(signal);
    } finally {
      this.names.delete(keyOf(payload));
      // The connection may have become free just before the signal.
      void room.then(
        () => client.leave(),
        () => undefined,
      );
    }
    return null;
  };

  /** Its name, once it has begun. */
  readonly begin: HostFunction = (value) => {
    const name = this.names.get(keyOf(value as unknown as SessionPayload));
    if (name === undefined) throw new PasskError('INTERNAL', 'A session begins that nobody holds.');
    return name;
  };
}

function keyOf({ scenario, trial }: SessionPayload): string {
  return `${scenario} ${trial}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
