/** A check that is a module of the user, which is loaded where trials are judged. */
export interface ModuleCheck {
  /** Unique in the scenario. */
  readonly name: string;
  /** Relative to the suite's root. */
  readonly file: string;
  /** The name of the export. */
  readonly exported: string;
}
