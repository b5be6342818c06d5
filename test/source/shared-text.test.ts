import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedText } from '../../src/source/shared-text.ts';

/** Few letters, so that many texts are alike but for one, and places are shared. */
const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{1F600}', '\uD800', ''), maxLength: 14 }), {
  minLength: 50,
  maxLength: 200,
});

test('a text stays what it says, whatever came before it', () => {
  fc.assert(
    fc.property(texts, (list) => {
      expect(list.map((text) => sharedText(text))).toEqual(list);
    }),
    { numRuns: 300 },
  );
});
