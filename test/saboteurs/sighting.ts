import type { ScenarioPlan } from '../../src/types/plan.ts';
import type { Saboteur } from './saboteur.ts';

/** What one scenario showed when its trials were run by some build of the engine, on each of its drivers. */
export interface Sighting {
  /** On every driver. */
  readonly meetsBar: boolean;
  /** Trials, by driver; empty: the scenario could not be compiled or run at all. */
  readonly passed: readonly number[];
  /** Words of capability bits, by driver. */
  readonly observed: readonly number[];
}

/** What a hunter is given when it starts. */
export interface Hunt {
  readonly plans: readonly ScenarioPlan[];
  /** Most trials of one scenario. */
  readonly trials: number;
}

/** One engine to look at. */
export interface Order {
  /** Its bundle, as a `file:` URL. */
  readonly engine: string;
  /** What the scenarios show on the real engine; null: this is the real one. */
  readonly real: readonly Sighting[] | null;
  readonly noticedBy: NonNullable<Saboteur['noticedBy']>;
  /** False: the first scenario that notices is enough. */
  readonly isThorough: boolean;
}

/** What a hunter found. */
export interface Findings {
  /** By position; where the hunt ended early, those that were not looked at are missing. */
  readonly sightings: readonly (Sighting | undefined)[];
  /** Positions of the scenarios that noticed. */
  readonly killers: readonly number[];
}
