/** A recorded session that a contract is held to once more, in the column of its id. */
export interface ReplayedSession {
  /** Its id, which names its column. */
  readonly id: string;
  /** Null: it has no name but its id. */
  readonly name: string | null;
  /** Where it comes from, such as `manual` or `langsmith`. */
  readonly source: string;
  /** What the subject was asked. */
  readonly input: string;
  /** What went wrong when it was recorded, in words; null: nobody says. */
  readonly expectedFailure: string | null;
}

/** What became of it. */
export interface SessionReplay extends Omit<ReplayedSession, 'input'> {
  /**
   * `passed`: every rule that could be judged was obeyed. `undecided`: passk could not judge a rule, a critical one proved
   * nothing, or none was judged.
   */
  readonly state: 'passed' | 'failed' | 'undecided';
}
