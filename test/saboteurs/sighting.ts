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

/** A module of the engine as the body of a function of `module`, `exports`, `require` and `moduleUrl`. */
export interface EngineModule {
  /** Relative to the project's root. */
  readonly file: string;
  readonly code: string;
}

/** A part of a module's code. */
export interface Spot {
  readonly file: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
}

/** A defect, the module that it is planted in, and the part of the real module's code that it changes. */
export interface Planted {
  readonly saboteur: Saboteur;
  readonly module: EngineModule;
  readonly spot: Spot;
}

/** What a hunter is given when it starts. */
export interface Hunt {
  /** Of the real engine; the one where it begins comes first. */
  readonly modules: readonly EngineModule[];
  /** The project's root folder. */
  readonly root: string;
  readonly plans: readonly ScenarioPlan[];
  /** Most trials of one scenario. */
  readonly trials: number;
}

/** One engine to look at. */
export interface Order {
  /** The module with a defect; null: the real engine. */
  readonly changed: EngineModule | null;
  /** Positions of the scenarios, in the order in which they are looked at. */
  readonly scenarios: readonly number[];
  /** What the scenarios show on the real engine; null: this is the real one. */
  readonly real: readonly Sighting[] | null;
  readonly noticedBy: NonNullable<Saboteur['noticedBy']>;
  /** False: the first scenario that notices is enough. */
  readonly isThorough: boolean;
  /** Places of the real engine of which is asked which scenarios come there. */
  readonly spots?: readonly Spot[];
}

/** What a hunter found. */
export interface Findings {
  /** By position; where the hunt ended early, those that were not looked at are missing. */
  readonly sightings: readonly (Sighting | undefined)[];
  /** Milliseconds, by position as well. */
  readonly tookMs: readonly (number | undefined)[];
  /** Positions of the scenarios that noticed. */
  readonly killers: readonly number[];
  /** By spot, the positions of the scenarios whose trials came there. */
  readonly visitors: readonly (readonly number[])[];
}
