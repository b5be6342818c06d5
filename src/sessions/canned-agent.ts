import { draw, hashText, STREAM } from '../random/draw.ts';
import { indexByWeight, weightThresholds } from '../random/weights.ts';
import type { SeedWords } from '../types/plan.ts';
import type { AgentVariant, CannedAgent } from '../types/session.ts';
import type { AgentInSession, AgentMove, Tools } from './dialogue.ts';

/** A turn with what is the same of it for all trials. */
interface CompiledTurn {
  readonly key: number;
  readonly thresholds: readonly number[];
  readonly variants: readonly AgentVariant[];
  readonly repeat: boolean;
}

/** Compiles an agent whose model has canned answers. Which variant is given is drawn from seed, trial and turn. */
export function compileCannedAgent({ turns }: CannedAgent, words: SeedWords): (trial: number) => AgentInSession {
  const compiled = turns.map(({ variants, repeat }, at) => ({
    key: hashText(`answer#${at}`),
    thresholds: weightThresholds(variants.map(({ weight }) => weight)),
    variants,
    repeat,
  }));
  return (trial) => new CannedAgentInSession(compiled, words, trial);
}

class CannedAgentInSession implements AgentInSession {
  private readonly turns: readonly CompiledTurn[];
  private readonly words: SeedWords;
  private readonly trial: number;
  private at = 0;
  /** How often the turn at `at` has been given. */
  private given = 0;

  constructor(turns: readonly CompiledTurn[], words: SeedWords, trial: number) {
    this.turns = turns;
    this.words = words;
    this.trial = trial;
  }

  answer(message: string, tools: Tools): AgentMove {
    for (;;) {
      const variant = this.next();
      if (variant === null) {
        return { kind: 'stops', reason: `Its ${this.turns.length} canned answers are used up.` };
      }
      const { calls, says, echoes } = variant;
      if (calls.length > 0 && tools.call(calls) === null)
        return { kind: 'stops', reason: 'No more calls are allowed.' };
      if (echoes === true) return { kind: 'says', text: message };
      if (says !== null) return { kind: 'says', text: says };
    }
  }

  private next(): AgentVariant | null {
    const turn = this.turns[this.at];
    if (turn === undefined) return null;
    const occurrence = this.given++;
    if (!turn.repeat) {
      this.at++;
      this.given = 0;
    }
    const { key, thresholds, variants } = turn;
    const drawn = variants.length === 1 ? 0 : draw(this.words, this.trial, STREAM.turn, key, occurrence);
    return variants[indexByWeight(thresholds, drawn)] ?? null;
  }
}
