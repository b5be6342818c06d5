/**
 * True when nobody can tell two values of plain data apart: keys in the same order, −0 is not 0. For values of files,
 * which are nested only so deep.
 */
export function sameData(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Object.is(left, right);
  }
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && sameElements(left, right);
  return !Array.isArray(right) && sameMembers(left, right);
}

function sameElements(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (!sameData(left[i], right[i])) return false;
  return true;
}

function sameMembers(left: object, right: object): boolean {
  const keys = Object.keys(left);
  const others = Object.keys(right);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (key !== others[i] || !sameData(Reflect.get(left, key), Reflect.get(right, key))) return false;
  }
  return true;
}
