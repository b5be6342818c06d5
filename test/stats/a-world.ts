import process from 'node:process';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';

/** Every run simulates the same worlds; PASSK_SIM=1 takes twenty times as many. */
export const SCALE = process.env['PASSK_SIM'] === '1' ? 20 : 1;

/** Where chance comes from in simulations. */
export interface World {
  /** From 0 to 1, neither included. */
  uniform(): number;
  /** Mean 0, standard deviation 1. */
  normal(): number;
}

/** A seeded world. */
export function aWorld(seed: number): World {
  const random = xoshiro128(seed);
  const uniform = (): number => (random.next() + 0.5) / 0x100000000;
  return { uniform, normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()) };
}
