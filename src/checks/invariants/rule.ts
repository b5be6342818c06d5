import type { Json } from '../../types/json.ts';
import type { Denial, TrialView } from '../check.ts';

/** What a subject gave for one prompt, as rules see it. What cannot be seen from outside is null. */
export interface JudgedAnswer {
  /** Null: the subject was not asked in words of ours. */
  readonly prompt: string | null;
  /** False: a fault came before the subject could be asked, so nothing here says anything about it. */
  readonly isAsked: boolean;
  /** Kinds of faults that struck on the way to this answer, as a sum of `KIND_BITS`. */
  readonly struck: number;
  /** Null: it gave no answer, and `problem` says why. */
  readonly text: string | null;
  readonly problem: string | null;
  readonly latencyMs: number | null;
  readonly tokens: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** What was told of tokens where not every answer of its models told them; absent or null: all did, or none is known. */
  readonly atLeast?: ToldTokens | null;
  /** Each call in order, by all names that it goes by. Valid until the next look. */
  readonly calls: readonly (readonly string[])[] | null;
  readonly denials: readonly Denial[] | null;
  readonly stoppedBy: string | null;
  /** The answer to the same prompt in a world without chaos. */
  readonly baseline: string | null;
  /** The whole trial that it is an answer of, for rules that look at no single answer. */
  readonly trial: TrialView;
}

/** Tokens of prompts and answers. */
export interface ToldTokens {
  readonly tokens: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** One compiled rule of an invariant, before it is negated. */
export interface Rule {
  /** What the driver must keep for it. */
  readonly needs?: 'requests';
  /** True: it looks at the answer, and at how and where a run ended, and at nothing else. */
  readonly onEnding: boolean;
  /** True: a subject that gave no answer disobeys it, negated or not. False: it speaks about how the run ended. */
  readonly needsAnswer: boolean;
  readonly expected: Json;
  /** Stands after "expected". */
  readonly wanted: string;
  /** The same for the negated rule. */
  readonly wantedNot: string;
  /** Null: it cannot be told, which counts neither as obeyed nor as disobeyed, negated or not. */
  readonly holds: (answer: JudgedAnswer) => boolean | null;
  readonly got: (answer: JudgedAnswer) => Json;
  /** Stands after "got". */
  readonly saw: (answer: JudgedAnswer) => string;
  /** What it says of an answer that disobeys, in place of what was expected and what was got; absent: these. */
  readonly says?: (answer: JudgedAnswer) => string;
}
