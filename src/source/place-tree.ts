/** Start and exclusive end in the text. */
export type Range = readonly [number, number];

/** Path of keys and array positions from the root of a document. */
export type Pointer = readonly (string | number)[];

/** Where a key, its value and everything inside it stand in a text. */
export interface Place {
  readonly key: Range;
  readonly value: Range;
  readonly children: Map<string | number, Place>;
}

/** A place without anything inside it yet. */
export function newPlace(key: Range, value: Range): Place {
  return { key, value, children: new Map() };
}

/** The range of a key or value; for one that is not there, of its nearest ancestor that is. */
export function rangeIn(root: Place, pointer: Pointer, part: 'key' | 'value'): Range {
  let place = root;
  for (const step of pointer) {
    const child = place.children.get(step);
    // What is missing belongs in its parent, and the parent's key shows best where that is.
    if (child === undefined) return place.key;
    place = child;
  }
  return part === 'key' ? place.key : place.value;
}
