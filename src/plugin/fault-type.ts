import type { JsonObject } from '../types/json.ts';
import type { Reply, Request } from './request.ts';

/** A way in which an answer goes wrong. */
export interface FaultType<C = JsonObject> {
  readonly kind: 'fault';
  /** The word in the TOML file. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** Pure: what must be remembered inside a trial belongs to the driver. */
  create(config: C): Fault;
}

/** Turns the answer that would have been given into the one that is; the turn is used up either way. */
export interface Fault {
  /** Virtual time the fault takes. */
  readonly delayUs: number;
  /** True: `apply` looks at nothing but the reply, so what it gives may be kept. */
  readonly ignoresRequest?: true;
  /** Changes what comes back, or answers instead. */
  apply(request: Request, reply: Reply): Reply;
}
