/** True: the table has no entries. */
export function isEmpty(table: object): boolean {
  for (const _ in table) return false;
  return true;
}
