/**
 * One deliberate defect: a piece of code that occurs in its file exactly once, whatever its layout, and what is put in
 * its place.
 */
export interface Saboteur {
  /** What the broken engine does, as a sentence without its subject. */
  readonly name: string;
  /** Relative to `src`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /**
   * How the corpus notices. `verdict`, the default: some scenario misses its bar. `passed`: some scenario passes another
   * number of trials. `observed`: some scenario observes other capabilities.
   */
  readonly noticedBy?: 'verdict' | 'passed' | 'observed';
}

/** Saboteurs of one source file. */
export function defectsIn(file: string, defects: readonly Omit<Saboteur, 'file'>[]): readonly Saboteur[] {
  return defects.map((defect) => ({ file, ...defect }));
}
