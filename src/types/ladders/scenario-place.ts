import type { GeneratedPlace } from '../generated/generated-set.ts';
import type { MutationOf } from '../mutations/mutation.ts';
import type { Persona } from '../sessions/persona.ts';
import type { MatrixCell } from '../matrix/matrix.ts';
import type { LadderRung } from './ladder.ts';

/** Where a scenario stands among those that were made with it. */
export interface ScenarioPlace {
  /** Where it stands on each axis of a pool of personas; absent: there is none. */
  readonly axes?: Persona['axes'];
  /** Where it stands in a set that was generated; absent: somebody wrote it. */
  readonly generated?: GeneratedPlace;
  /** Where it stands on a ladder; absent: on none. */
  readonly ladder?: LadderRung;
  /** Where it stands in a matrix; absent: in none. */
  readonly matrix?: MatrixCell;
  /** What it is a mutation of; absent: its messages are as they were written. */
  readonly mutation?: MutationOf;
}
