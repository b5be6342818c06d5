import { expect, test } from 'vitest';
import {
  addressWord,
  combine,
  deriveWords,
  draw,
  hashText,
  mix32,
  STREAM,
  trialMask,
  trialWord,
} from '../../src/random/draw.ts';

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
    deriveWords(2 ** 40 + 5, 'control-condition'),
    deriveWords(Number.MAX_SAFE_INTEGER, 'control-condition'),
    deriveWords(0, ''),
  ]).toMatchInlineSnapshot(`
    [
      [
        3965903576,
        3221840173,
        278206738,
        347359909,
      ],
      [
        1353075900,
        1160607477,
        3023506606,
        3991649967,
      ],
      [
        2289099832,
        1408412713,
        2428561759,
        3808209583,
      ],
      [
        2457509171,
        2827722970,
        443307283,
        2367308978,
      ],
      [
        2749357272,
        131238683,
        1204671045,
        58321390,
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
        2158169780,
        3781002130,
        1278583219,
        81845519,
        1590441139,
        1278244773,
      ],
      [
        2158169780,
        1193565173,
        1595305266,
        2462075447,
        3374146372,
        3840535916,
      ],
      [
        4010251846,
        3053841938,
        1878823217,
      ],
      [
        2158169780,
        594398501,
        4055629817,
        2102565908,
      ],
    ]
  `);
});

test('a draw in stages is the draw', () => {
  const words = deriveWords(7, 'x');
  const address = addressWord(words, STREAM.turn, 99, 3);
  const trials = [0, 1, 5, 2 ** 31, 2 ** 32 - 1];
  expect(trials.map((trial) => combine(trialWord(words, trial), trialMask(words, trial), address))).toEqual(
    trials.map((trial) => draw(words, trial, STREAM.turn, 99, 3)),
  );
});

test('the finaliser loses nothing: different inputs stay different', () => {
  const seen = new Set<number>();
  for (let value = 0; value < 200_000; value++) seen.add(mix32(value));
  expect(seen.size).toBe(200_000);
});
