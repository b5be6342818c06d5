import type { Json } from '../../types/json.ts';

/**
 * Small whole numbers for values that are kept, so that the hot loop compares and stores integers. An id is twice the
 * value's position, plus 1 when it derives from a model's answer; 0 is "nothing there".
 */
export class ValueIds {
  /** Values by position; position 0 is nothing. */
  readonly values: (Json | undefined)[] = [undefined];
  private readonly positions = new Map<Json | undefined, number>([[undefined, 0]]);

  /** The same value always has the same id; objects are compared by identity. */
  idOf(value: Json | undefined, fromModel: boolean): number {
    let position = this.positions.get(value);
    if (position === undefined) {
      position = this.values.length;
      this.positions.set(value, position);
      this.values.push(value);
    }
    return position * 2 + (fromModel ? 1 : 0);
  }

  valueOf(id: number): Json | undefined {
    return this.values[id >> 1];
  }
}

/** True when an id stands for a value that derives from a model's answer. */
export function isFromModel(id: number): boolean {
  return (id & 1) === 1;
}

/** `array` with room for `index`; new room is zero. */
export function roomFor(array: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> {
  if (index < array.length) return array;
  const grown = new Int32Array(Math.max(index + 1, array.length * 2));
  grown.set(array);
  return grown;
}
