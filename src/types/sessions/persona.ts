import type { Amount, Count } from '../numbers.ts';
import type { Verbosity } from './session-user.ts';

/** What one row of a pool of personas says of a user, in place of what its task says. */
export interface Persona {
  /** Of each axis the value, in the order of the file. */
  readonly axes: readonly {
    /** The name of the axis. */
    readonly axis: string;
    /** The value of the axis. */
    readonly value: string;
  }[];
  /** Absent, here and below: as the task has it. */
  readonly verbosity?: Verbosity;
  /** The chance that a word without digits is mistyped. */
  readonly typos?: Amount;
  /** Messages in a row that the user has no answer to until the user gives up. */
  readonly patience?: Count;
  /** Who the user is, in words. */
  readonly who?: string;
  /** Of users that models play: how they talk besides. */
  readonly manner: readonly {
    /** The name of the trait. */
    readonly name: string;
    /** The trait, in words. */
    readonly value: string;
  }[];
}
