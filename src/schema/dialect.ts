/** What the specification leaves to whoever checks. */
export interface Dialect {
  /** A test for "the pattern occurs in the text". Throws where the pattern cannot be used. */
  pattern(pattern: string): (text: string) => boolean;
  /** The test that a format's name stands for; undefined: the name says nothing. */
  format(name: string): ((text: string) => boolean) | undefined;
  /** False: a whole number that a double would round is none. */
  readonly takesBigints: boolean;
}
