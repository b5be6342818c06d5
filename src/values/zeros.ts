/** Lengths that are copied from a row that is there already. */
const MOST_KEPT = 64;
const rows: (readonly number[])[] = [];

/**
 * So many counts, all 0. Most scenarios count a few small numbers, for which a plain array takes a tenth of the room and
 * of the time of a typed one.
 */
export function zeros(length: number): number[] {
  if (length > MOST_KEPT) return new Array<number>(length).fill(0);
  const row = rows[length] ?? new Array<number>(length).fill(0);
  rows[length] = row;
  return row.slice();
}
