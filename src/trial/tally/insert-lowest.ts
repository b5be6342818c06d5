/** Puts an entry among the lowest by trial, ascending; beyond `most` the highest go. */
export function insertLowest<T>(list: T[], entry: T, trialOf: (entry: T) => number, most: number): void {
  const trial = trialOf(entry);
  let at = list.length;
  while (at > 0 && trialOf(list[at - 1] as T) > trial) at--;
  if (at >= most) return;
  list.splice(at, 0, entry);
  if (list.length > most) list.pop();
}
