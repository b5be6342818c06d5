import type { Amount, Count } from '../numbers.ts';
import type { Verbosity } from './session-user.ts';

/** What one row of a pool of personas says of a user, in place of what its task says. */
export interface Persona {
  /** Of each axis the value, in the order of the file. */
  readonly axes: readonly { readonly axis: string; readonly value: string }[];
  /** Absent, here and below: as the task has it. */
  readonly verbosity?: Verbosity;
  readonly typos?: Amount;
  readonly patience?: Count;
  readonly who?: string;
  /** Of users that models play: how they talk besides. */
  readonly manner: readonly { readonly name: string; readonly value: string }[];
}
