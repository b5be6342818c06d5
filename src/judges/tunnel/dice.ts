import { deriveWords } from '../../random/draw.ts';
import { xoshiro128FromState } from '../../random/xoshiro128.ts';

/** Where the chance of one evaluation comes from. */
export interface Dice {
  /** Between 0 and 1, neither included. */
  uniform(): number;
  /** Mean 0, standard deviation 1. Source: Box and Muller 1958. */
  normal(): number;
  coin(chance: number): boolean;
}

/** The dice of one evaluation, by its name: the same seed and name give the same rolls, other names unrelated ones. */
export function diceOf(seed: number, name: string): Dice {
  const [a, b, c, d] = deriveWords(seed, name);
  const random = xoshiro128FromState([a, b, c, d | 1]);
  const uniform = (): number => (random.next() + 0.5) / 0x100000000;
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    coin: (chance) => uniform() < chance,
  };
}
