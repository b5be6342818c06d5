import type { JsonObject } from '../json.ts';

/** A function of the user that judges, by where it stands. */
export interface JudgingModule {
  /** The module, relative to the suite's root. */
  readonly file: string;
  /** The name of the export. */
  readonly exported: string;
}

/** A plug-in that judges, by its type. */
export interface JudgingPlugin {
  /** The type of the plug-in. */
  readonly plugin: string;
  /** What the file says to it, with its keys in camelCase. */
  readonly settings: JsonObject;
}

/** A function of the program that made the scenario. It judges on the calling thread. */
export interface JudgingFunction {
  /** The name that the scenario has for it. */
  readonly code: string;
}

/** Code of the user that judges, which is loaded where trials are judged. */
export type JudgingCode = JudgingModule | JudgingPlugin | JudgingFunction;

/** A check that is code of the user. */
export type CodeCheck = JudgingCode & {
  /** Unique in the scenario. */
  readonly name: string;
};
