import { Buffer } from 'node:buffer';
import { expect } from 'vitest';

// By itself `toEqual` compares bytes one by one as it compares properties, which took half of the time of some laws. What
// is the same is seen at once here; of anything else Vitest finds and shows the difference.
expect.addEqualityTesters([
  (a: unknown, b: unknown) => {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return undefined;
    return a.constructor === b.constructor && Buffer.compare(a, b) === 0 ? true : undefined;
  },
]);
