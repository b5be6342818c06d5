/** How alike two texts are, in [0, 1]: 0 nothing in common, 1 the same. The second is what a subject answered. */
export type Similarity = (left: string, right: string) => number;

/** A way to compare texts, for contracts that name it. Recognised by `kind`, never by identity. */
export interface SimilarityType {
  readonly kind: 'similarity';
  /** The word in the file of a contract. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** Called once for each program. What it gives is pure: the same texts always have the same similarity. */
  create(): Similarity;
}
