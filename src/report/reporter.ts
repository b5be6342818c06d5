import type { ReporterType } from '../plugin/reporter-type.ts';

/** A reporter, of passk or of a plug-in. */
export interface Reporter extends ReporterType {
  /**
   * Reads what rendering needs. It is called before a run begins: at its end the installed package may have changed.
   */
  prepare?(): void;
}
