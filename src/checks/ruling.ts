/**
 * What an invariant made of one trial, as a sum of these; 0: it was not judged there, because it speaks about faults and
 * none struck.
 */
export const RULING = {
  /** It was obeyed or disobeyed. */
  judged: 1,
  disobeyed: 2,
  /** It was judged on an answer that a fault struck. */
  struck: 4,
  /** It was disobeyed by such an answer. */
  disobeyedStruck: 8,
  /** Nobody can tell whether it was obeyed. Never together with the others. */
  undecided: 16,
  /** Faults came before the subject was asked, so there is nothing of its own to judge. Never together with the others. */
  unasked: 32,
  /** It was disobeyed, which is told and does not count. Together with `judged`. */
  advised: 64,
} as const;
