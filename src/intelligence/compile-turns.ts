import type { FaultType } from '../plugin/fault-type.ts';
import { addressWord, hashText, STREAM } from '../random/draw.ts';
import { uniformShift, weightThresholds } from '../random/weights.ts';
import type { SeedWords } from '../types/plan.ts';
import type { Turn } from '../types/scenario.ts';
import { compileVariant, type CompiledVariant } from './compile-variant.ts';
import { turnKeys, turnLabels } from './turn-labels.ts';

/** A turn with everything about it that is the same for all trials. */
export interface CompiledTurn {
  /** Position in the file. */
  readonly index: number;
  /** Where its variants begin in the row of all turns' variants. */
  readonly offset: number;
  /** Absent: serves the queue. */
  readonly node: string | undefined;
  readonly repeat: boolean;
  readonly key: number;
  /** Address of its first draw in a trial. */
  readonly address: number;
  readonly thresholds: readonly number[];
  /** Shift that gives the variant of equal shares; −1: thresholds decide. */
  readonly shift: number;
  readonly variants: readonly CompiledVariant[];
}

/** Compiles turns; throws `PLUGIN` for faults that do not exist or cannot be set up. */
export function compileTurns(
  turns: readonly Turn[],
  words: SeedWords,
  faults: ReadonlyMap<string, FaultType>,
): readonly CompiledTurn[] {
  const keys = turnKeys(turns);
  let offset = 0;
  return turns.map((turn, index) => {
    const key = hashText(keys[index] ?? '');
    const start = offset;
    offset += turn.variants.length;
    const thresholds = weightThresholds(turn.variants.map((variant) => variant.weight));
    return {
      index,
      offset: start,
      node: turn.node,
      repeat: turn.repeat,
      key,
      address: addressWord(words, STREAM.turn, key, 0),
      thresholds,
      shift: uniformShift(thresholds),
      variants: turn.variants.map((variant) => compileVariant(variant, () => turnLabels(turns)[index] ?? '', faults)),
    };
  });
}
