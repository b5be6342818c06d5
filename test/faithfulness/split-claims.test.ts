import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitClaims } from '../../src/faithfulness/split-claims.ts';

test.each([
  ['sentences', 'It costs $5. It weighs 2.5 kg! Really.', ['It costs $5.', 'It weighs 2.5 kg!', 'Really.']],
  [
    'titles and initials',
    'Dr. Smith met J. K. Rowling. They talked.',
    ['Dr. Smith met J. K. Rowling.', 'They talked.'],
  ],
  ['abbreviations', 'Use e.g. a fork, etc. Then eat.', ['Use e.g. a fork, etc.', 'Then eat.']],
  ['German dates', 'Er kam am 15. Januar 2024. Es regnete.', ['Er kam am 15. Januar 2024.', 'Es regnete.']],
  ['quotations', 'She said: “It is late. Go home.” He went.', ['She said: “It is late. Go home.”', 'He went.']],
  ['lists', '- **Price**: $5\n- Weight: 2 kg\n1. First\n', ['Price: $5', 'Weight: 2 kg', 'First']],
  ['wrapped prose', 'The total\nis $5.', ['The total is $5.']],
  ['questions', 'It is open. Can I help you?', ['It is open.']],
  ['nothing', ' \n…\n', []],
])('%s', (_, answer, claims) => {
  expect(splitClaims(answer)).toEqual(claims);
});

test('no letter and no digit of a statement is lost', () => {
  const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const text = fc.array(fc.constantFrom('It ', 'is 5.5 ', 'km. ', 'Dr. ', 'X', '“a. B”', '! ', '"', '\n', '(y) '));
  fc.assert(
    fc.property(text, (parts) => {
      expect(bare(splitClaims(parts.join('')).join(''))).toBe(bare(parts.join('')));
    }),
  );
});
