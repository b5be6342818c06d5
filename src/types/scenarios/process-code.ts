/**
 * Functions of the program that made scenarios, and objects with such, by the name that a scenario has for each. They are on the
 * calling thread alone, so plans hold the names.
 */
export type ProcessCode = ReadonlyMap<string, unknown>;

/** What may need such code. */
export interface HasProcessCode {
  /** Code of the program that made the scenarios; absent: there is none, or it is not here. */
  readonly processCode?: ProcessCode | undefined;
}
