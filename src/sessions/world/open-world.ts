import type { Json } from '../../types/json.ts';
import type { Strike } from '../../types/record.ts';
import type { ToolReply } from './tool-reply.ts';

/** A world in one session. */
export interface OpenWorld {
  /** What calls have made of it so far. */
  readonly state: Json;
  /** Declared faults that struck so far; absent: none is declared. */
  readonly struck?: readonly Strike[] | undefined;
  /** Throws `WorldError` where the world itself is wrong, or grows without end. */
  call(name: string, args: Json): ToolReply;
}

/** A world that any number of sessions may open. */
export interface World {
  open(): OpenWorld;
}
