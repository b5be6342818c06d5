/** A function of the user that judges, by where it stands. */
export interface JudgingModule {
  /** The module, relative to the suite's root. */
  readonly file: string;
  /** The name of the export. */
  readonly exported: string;
}

/** A check that is a module of the user, which is loaded where trials are judged. */
export interface ModuleCheck extends JudgingModule {
  /** Unique in the scenario. */
  readonly name: string;
}
