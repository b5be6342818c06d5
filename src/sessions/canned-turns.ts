import { draw, hashText, STREAM } from '../random/draw.ts';
import { indexByWeight, weightThresholds } from '../random/weights.ts';
import type { SeedWords } from '../types/plan.ts';
import type { AgentTurn, AgentVariant } from '../types/session.ts';

/** A turn with what is the same of it for all trials. */
interface CompiledTurn {
  readonly key: number;
  readonly thresholds: readonly number[];
  readonly variants: readonly AgentVariant[];
  readonly repeat: boolean;
}

/** Compiles canned answers of a model. Which variant is given is drawn from seed, trial and turn. */
export function compileCannedTurns(turns: readonly AgentTurn[], words: SeedWords): (trial: number) => CannedTurns {
  const compiled = turns.map(({ variants, repeat }, at) => ({
    key: hashText(`answer#${at}`),
    thresholds: weightThresholds(variants.map(({ weight }) => weight)),
    variants,
    repeat,
  }));
  return (trial) => new CannedTurns(compiled, words, trial);
}

/** The canned answers of one session, one after the other. */
export class CannedTurns {
  private readonly turns: readonly CompiledTurn[];
  private readonly words: SeedWords;
  private readonly trial: number;
  private at = 0;
  /** How often the turn at `at` has been given. */
  private repeats = 0;

  constructor(turns: readonly CompiledTurn[], words: SeedWords, trial: number) {
    this.turns = turns;
    this.words = words;
    this.trial = trial;
  }

  /** Null: there is none left. */
  next(): AgentVariant | null {
    const turn = this.turns[this.at];
    if (turn === undefined) return null;
    const occurrence = this.repeats++;
    if (!turn.repeat) {
      this.at++;
      this.repeats = 0;
    }
    const { key, thresholds, variants } = turn;
    const drawn = variants.length === 1 ? 0 : draw(this.words, this.trial, STREAM.turn, key, occurrence);
    return variants[indexByWeight(thresholds, drawn)] ?? null;
  }

  /** What is said where there is none left. */
  get usedUp(): string {
    return `Its ${this.turns.length} canned answers are used up.`;
  }
}
