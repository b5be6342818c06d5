import { expect, test } from 'vitest';
import { shortenSaid } from '../../src/text/shorten-said.ts';

test('data URIs are cut first, so that the words around them stay', () => {
  const said = `Look: data:image/png;base64,${'A'.repeat(20_000)} and so on`;
  expect(shortenSaid(said)).toBe('Look: data:image/png;base64,…15,000 bytes and so on');
});

test('what is long ends after 4,000 characters, and never in half of one', () => {
  expect(shortenSaid('a'.repeat(4000))).toBe('a'.repeat(4000));
  expect(shortenSaid('a'.repeat(4001))).toBe(`${'a'.repeat(4000)}…`);
  expect(shortenSaid(`${'a'.repeat(3999)}😀 and more`)).toBe(`${'a'.repeat(3999)}…`);
});
