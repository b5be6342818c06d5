import type { Location } from './issue.ts';

/** Where a file asks for each check of a scenario, by its name. */
export interface CheckPlaces {
  readonly checks: Readonly<Record<string, Place>>;
  /** What is tried: for trials that say nothing of any check. */
  readonly subject: Place;
}

export type Place = Pick<Location, 'file' | 'line' | 'column'>;
