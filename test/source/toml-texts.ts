import fc from 'fast-check';
import { parse } from 'smol-toml';

/** Texts that parse, with much that plain JSON cannot hold. */
export const tomlTexts: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      'a = 1',
      'b = "x"',
      'c = [1, [true, {d = 1.5}], inf]',
      'e.f.g = nan',
      '[h]',
      '[[i]]',
      '[i.j]',
      'k = 1979-05-27',
      'l = 9007199254740993',
      '__proto__ = 1',
      'constructor = {toString = 1}',
      '7 = "7"',
      '"\\u00e9\\u2028" = [[], {}, "\\u0000"]',
      'm = -0.0',
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'))
  .filter((text) => {
    try {
      parse(text, { integersAsBigInt: 'asNeeded' });
      return true;
    } catch {
      return false;
    }
  });
