import type { JsonObject } from '../types/json.ts';

/**
 * A generator of scenarios: a pure function of a seed and parameters. It runs in a worker, with neither network nor files, a
 * clock nor the dice, and is ended where it takes too long.
 */
export interface GeneratorType {
  readonly kind: 'generator';
  /** The word that `[generate] family` names it by. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** JSON Schema of its parameters, as they stand in TOML; absent: any. */
  readonly schema?: JsonObject;
  /** One scenario with its gold plan. It answers at once, and the same request always gives the same. */
  generate(request: GenerationRequest): GeneratedScenario;
}

/** What one scenario is generated from. */
export interface GenerationRequest {
  /** Different for each scenario of a set; a whole number from 0. */
  readonly seed: number;
  /** Which one of the set, from 0. */
  readonly n: number;
  /** As the file has them. */
  readonly params: JsonObject;
  /** Draws that follow from the seed alone. */
  readonly random: SeededRandom;
}

/** Draws that follow from a seed. */
export interface SeededRandom {
  /** A whole number from 0 up to, but not including, `bound`, which is one from 1 to 2^32. */
  below(bound: number): number;
  /** One of a list that has some. */
  pick<T>(list: readonly T[]): T;
  /** The list in another order. */
  shuffle<T>(list: readonly T[]): T[];
}

/** A scenario as a file would have it, and what of it may be changed without changing what becomes of it. */
export interface GeneratedScenario {
  /**
   * A scenario, a contract or a file of tasks, with the keys of its TOML. Its gold plan is part of it: gold calls of tasks, turns
   * of a workflow.
   */
  readonly document: JsonObject;
  /** Names that mean nothing, such as `R-104`, wherever they stand; absent: none may be renamed. */
  readonly ids?: readonly string[];
  /**
   * Groups of places, as dotted paths, whose parts may stand in any order that is the same at all places of the group: entries
   * of lists, lines of texts. Absent: none may be permuted.
   */
  readonly independent?: readonly (readonly string[])[];
  /** Places of texts that the subject reads, as dotted paths, beside which there may be others; absent: none. */
  readonly context?: readonly string[];
}

/** A generator, typed. */
export function defineGenerator(generator: Omit<GeneratorType, 'kind'>): GeneratorType {
  return { kind: 'generator', ...generator };
}
