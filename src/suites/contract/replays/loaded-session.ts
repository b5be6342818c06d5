import type { Pointer } from '../../../source/place-tree.ts';
import type { SourceDocument } from '../../../source/toml-document.ts';
import type { RecordedResponse } from '../../../types/chaos.ts';
import type { Invariant } from '../../../types/invariant.ts';
import type { Location } from '../../../types/issue.ts';
import type { JsonObject } from '../../../types/json.ts';
import type { ReplayedSession } from '../../../types/replays/replayed-session.ts';

/** A session where it stands. */
export interface SessionPlace {
  readonly document: SourceDocument;
  readonly table: JsonObject;
  readonly at: Pointer;
}

/** A session as files have it. */
export interface LoadedSession extends ReplayedSession {
  /** Null: nobody says what tools answered, and they are called. */
  readonly recorded: readonly RecordedResponse[] | null;
  /** The contract of another file that it is held to; null: that of the file which names it. */
  readonly rules: NamedRules | null;
  readonly at: Location;
}

/** The rules of a contract in another file. */
export interface NamedRules {
  readonly name: string;
  readonly invariants: readonly Invariant[];
}
