import type { Chooser } from './chooser.ts';
import type { CompiledTurn } from './compile-turns.ts';

/** One choice of a path: which of the answers that can be drawn was given. */
export interface AnswerStep {
  /** The turn's position in the file. */
  readonly turn: number;
  /** How often the turn had been served before in the trial. */
  readonly occurrence: number;
  readonly variant: number;
  /** Its share, in parts of 2^32. */
  readonly width: number;
}

interface Choice {
  readonly turn: number;
  readonly occurrence: number;
  readonly possible: Possible;
  at: number;
}

/** The variants of a turn that can be drawn: a weight may be so small that its share is 0. */
interface Possible {
  readonly variants: readonly number[];
  readonly widths: readonly number[];
}

/**
 * Answers a trial is to get instead of drawn ones: it follows the path and, beyond its end, extends it with the first
 * answer of each choice. `advance` turns it into the next one in depth-first order, so that trials run one after the
 * other get every sequence of answers that can be, once. Only requests that are made become choices.
 */
export class AnswerPath implements Chooser {
  private readonly choices: Choice[] = [];
  private readonly possible = new Map<number, Possible>();
  private depth = 0;

  /** A trial begins. */
  begin(): void {
    this.depth = 0;
  }

  /** The variant that this request gets. */
  choose(turn: CompiledTurn, occurrence: number): number {
    const possible = this.possibleOf(turn);
    // What has one answer only is no choice.
    if (possible.variants.length === 1) return possible.variants[0] as number;
    const choice = this.choices[this.depth++];
    if (choice !== undefined) return choice.possible.variants[choice.at] as number;
    this.choices.push({ turn: turn.index, occurrence, possible, at: 0 });
    return possible.variants[0] as number;
  }

  /** After a trial: the position of the choice that differs in the next one; −1: there is no other. */
  advance(): number {
    for (let at = this.choices.length - 1; at >= 0; at--) {
      const choice = this.choices[at] as Choice;
      if (choice.at + 1 < choice.possible.variants.length) {
        choice.at++;
        return at;
      }
      this.choices.pop();
    }
    return -1;
  }

  /** Choices made so far in the trial. */
  get taken(): number {
    return this.depth;
  }

  get length(): number {
    return this.choices.length;
  }

  step(at: number): AnswerStep {
    const { turn, occurrence, possible, at: chosen } = this.choices[at] as Choice;
    return {
      turn,
      occurrence,
      variant: possible.variants[chosen] as number,
      width: possible.widths[chosen] as number,
    };
  }

  private possibleOf(turn: CompiledTurn): Possible {
    const hit = this.possible.get(turn.index);
    if (hit !== undefined) return hit;
    const variants: number[] = [];
    const widths: number[] = [];
    for (const [variant, threshold] of turn.thresholds.entries()) {
      const width = threshold - (turn.thresholds[variant - 1] ?? 0);
      if (width <= 0) continue;
      variants.push(variant);
      widths.push(width);
    }
    const possible = { variants, widths };
    this.possible.set(turn.index, possible);
    return possible;
  }
}
