import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from '../../src/values/compile-glob.ts';

test.each([
  ['*', '', true],
  ['*', 'a/b', true],
  ['web_*', 'web_search', true],
  ['web_*', 'a web_search', false],
  ['*.example.com', 'api.example.com', true],
  ['*a*b*c', 'xaxbxbxc', true],
  ['*a*b*c', 'xaxbxbxcx', false],
  ['file?.txt', 'file1.txt', true],
  ['file?.txt', 'file.txt', false],
  ['?', '😀', true],
  ['[ab-d]x', 'cx', true],
  ['[ab-d]x', 'ex', false],
  ['[!ab]x', 'cx', true],
  ['[!ab]x', 'ax', false],
  ['[]]', ']', true],
  ['[a', '[a', true],
  ['Search', 'search', false],
  ['a.c', 'abc', false],
  ['', '', true],
  ['', 'a', false],
])('%j on %j: %s', (glob, text, fits) => {
  expect(compileGlob(glob)(text)).toBe(fits);
});

test('a glob of stars and letters means what the pattern with .* means', () => {
  const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }).map((list) => list.join(''));
  const glob = fc.array(fc.constantFrom('a', 'b', '*', '?'), { maxLength: 8 }).map((list) => list.join(''));
  fc.assert(
    fc.property(glob, letters, (pattern, text) => {
      const peer = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(compileGlob(pattern)(text)).toBe(peer.test(text));
    }),
  );
});
