import { expect, test } from 'vitest';
import { addressWord, combine, deriveWords, draw, hashText, mix32, STREAM, trialWord } from '../../src/random/draw.ts';

// Every number here is frozen: a change reshuffles the trials of everyone's scenarios and is a breaking release.

test('frozen: the finaliser', () => {
  expect([0, 1, 2, 0x7fffffff, -1].map((value) => mix32(value) >>> 0)).toMatchInlineSnapshot(`
    [
      0,
      1753845952,
      3507691905,
      2368339896,
      1734902346,
    ]
  `);
});

test('frozen: hashes of names', () => {
  expect(
    ['', 'a', 'id:greeting', 'queue#0', 'queue#1', 'node:classify#0', 'grüß', '🎉'].map((text) => hashText(text)),
  ).toMatchInlineSnapshot(`
    [
      1947474976,
      3222490305,
      1061226815,
      4158266863,
      3186624230,
      912943775,
      2777360906,
      1225561371,
    ]
  `);
});

test('frozen: words of scenarios', () => {
  expect([
    deriveWords(0, 'control-condition'),
    deriveWords(1, 'control-condition'),
    deriveWords(0, 'control-condition', 'cell'),
    deriveWords(2 ** 40 + 5, 'control-condition'),
    deriveWords(0, ''),
  ]).toMatchInlineSnapshot(`
    [
      [
        1326978249,
        2654245388,
      ],
      [
        1590204810,
        2654245388,
      ],
      [
        2993784844,
        3480580250,
      ],
      [
        3306952981,
        1874610499,
      ],
      [
        723099395,
        3193032999,
      ],
    ]
  `);
});

test('frozen: draws by trial, stream, key and occurrence', () => {
  const words = deriveWords(0, 'control-condition');
  const key = hashText('queue#0');
  expect([
    [0, 1, 2, 4095, 4096, 2 ** 32 - 1].map((trial) => draw(words, trial, STREAM.turn, key)),
    Object.values(STREAM).map((stream) => draw(words, 0, stream, key)),
    ['queue#1', 'id:a', 'node:x#0'].map((text) => draw(words, 0, STREAM.turn, hashText(text))),
    [0, 1, 2, 3].map((occurrence) => draw(words, 0, STREAM.turn, key, occurrence)),
  ]).toMatchInlineSnapshot(`
    [
      [
        2199553261,
        3760195072,
        2323408146,
        1370413820,
        3465191112,
        3556555914,
      ],
      [
        2199553261,
        3561324343,
        977383514,
        1457643921,
      ],
      [
        716939028,
        3357238504,
        3688220785,
      ],
      [
        2199553261,
        323367221,
        140656824,
        1393138016,
      ],
    ]
  `);
});

test('a draw in two stages is the draw', () => {
  const words = deriveWords(7, 'x');
  const address = addressWord(words, STREAM.turn, 99, 3);
  const trials = [0, 1, 5, 2 ** 31, 2 ** 32 - 1];
  expect(trials.map((trial) => combine(trialWord(words, trial), address))).toEqual(
    trials.map((trial) => draw(words, trial, STREAM.turn, 99, 3)),
  );
});

test('the finaliser loses nothing: different inputs stay different', () => {
  const seen = new Set<number>();
  for (let value = 0; value < 200_000; value++) seen.add(mix32(value));
  expect(seen.size).toBe(200_000);
});
