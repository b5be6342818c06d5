import type { Json } from '../../types/json.ts';
import type { Denial } from '../check.ts';

/** What a subject gave for one prompt, as rules see it. What cannot be seen from outside is null. */
export interface Given {
  /** Null: the subject was not asked in words of ours. */
  readonly prompt: string | null;
  /** Null: it gave no answer, and `problem` says why. */
  readonly text: string | null;
  readonly problem: string | null;
  readonly latencyMs: number | null;
  readonly tokens: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Each call in order, by all names that it goes by. Valid until the next look. */
  readonly calls: readonly (readonly string[])[] | null;
  readonly denials: readonly Denial[] | null;
  readonly stoppedBy: string | null;
  /** The answer to the same prompt in a world without chaos. */
  readonly baseline: string | null;
}

/** One compiled rule of an invariant, before it is negated. */
export interface Rule {
  /** What the driver must keep for it. */
  readonly needs?: 'requests';
  /** True: it looks at the answer, and at how and where a run ended, and at nothing else. */
  readonly onEnding: boolean;
  /** It asks for this many tokens at most. */
  readonly mostTokens?: number;
  /** True: it speaks about the answer, so a subject that gave none breaks it, negated or not. */
  readonly onAnswer: boolean;
  readonly expected: Json;
  /** Stands after "expected". */
  readonly wanted: string;
  /** The same for the negated rule. */
  readonly wantedNot: string;
  /** Null: it cannot be told, which never counts as obeyed, negated or not. */
  readonly holds: (given: Given) => boolean | null;
  readonly got: (given: Given) => Json;
  /** Stands after "got". */
  readonly saw: (given: Given) => string;
}
