import type { Location } from './issue.ts';
import type { Scenario } from './scenario.ts';

/** Where a file asks for each check of a scenario, by its name. */
export interface CheckPlaces {
  readonly checks: Readonly<Record<string, Place>>;
  /** What is tried: for trials that say nothing of any check. */
  readonly subject: Place;
}

export type Place = Pick<Location, 'file' | 'line' | 'column'>;

/** Finds what files of scenarios say in their texts; undefined: nobody knows. */
export interface FilePlaces {
  /** Something of a scenario's agent, by its key in the table of the agent. */
  ofAgent(scenario: Scenario, key: readonly string[]): Location | undefined;
  /** A value by its keys within the scenario's part of the file. */
  ofValue(scenario: Scenario, key: readonly (string | number)[]): Location | undefined;
  /** The name of another file, which starts from the root of the suite as the scenario's own does. */
  ofFile(scenario: Scenario, file: string): Location | undefined;
}

/** What tells places of files. */
export interface HasFilePlaces {
  /** Absent: nobody knows any. */
  readonly filePlaces?: FilePlaces | undefined;
}

/** The key of whatever says who answers: `endpoint`, `command`, `module` or `python`. */
export const ANSWERER: readonly string[] = ['answerer'];
