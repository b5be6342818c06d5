import { expect, test } from 'vitest';
import { judgeTunnel } from '../../src/judges/tunnel/judge-tunnel.ts';
import { renderJudgeTunnel } from '../../src/report/judges/render-judge-tunnel.ts';
import { displayWidth } from '../../src/text/display-width.ts';

const tunnel = judgeTunnel({
  pairs: 200,
  trials: 5,
  bias: { position: 1, garbled: 0.1 },
  protocols: ['plain', 'swap'],
});

test('a wide terminal shows a row and a scale for each protocol', () => {
  expect(renderJudgeTunnel(tunnel, { columns: 100 })).toMatchInlineSnapshot(`
    "Judge "own"
      position=1, garbled=0.1. It compares two answers. The truth is 0.50.
    misses    plain  0.69 [0.62, 0.76]    covers 0 %    ··········│··─█─·····
              127 won · 56 lost · 17 unreadable · first chosen 0.69
    recovers  swap   0.51 [0.46, 0.55]    covers 100 %  ·········─█─·········
              36 won · 34 lost · 110 tied · 20 unreadable · first chosen 0.74 · both orders agree 0.39 ·
              2 questions each

    5 evaluations of 200 pairs or answers each, seed 0. A protocol recovers the truth where at least
    85 % of its intervals hold it. On the scale from 0 to 1: █ the rate, ─ its interval, │ the truth.
    "
  `);
});

test('names that are long leave the scale a line of its own', () => {
  const named = {
    ...tunnel,
    protocols: tunnel.protocols.map((one) => ({ ...one, name: 'swapped, length-controlled' })),
  };
  expect(renderJudgeTunnel(named, { columns: 80 }).split('\n').slice(0, 5)).toMatchInlineSnapshot(`
    [
      "Judge "own"",
      "  position=1, garbled=0.1. It compares two answers. The truth is 0.50.",
      "misses    swapped, length-controlled",
      "          0.69 [0.62, 0.76]    covers 0 %    ··········│··─█─·····",
      "          127 won · 56 lost · 17 unreadable · first chosen 0.69",
    ]
  `);
});

test('a narrow one shows the same numbers, in ASCII where it must', () => {
  expect(renderJudgeTunnel(tunnel, { columns: 40, unicode: false })).toMatchInlineSnapshot(`
    "Judge "own"
      position=1, garbled=0.1. It compares
      two answers. The truth is 0.50.
    misses    plain
              0.69 [0.62, 0.76] - covers 0 %
              127 won - 56 lost -
              17 unreadable -
              first chosen 0.69
    recovers  swap
              0.51 [0.46, 0.55] -
              covers 100 %
              36 won - 34 lost - 110 tied -
              20 unreadable -
              first chosen 0.74 -
              both orders agree 0.39 -
              2 questions each

    5 evaluations of 200 pairs or answers
    each, seed 0. A protocol recovers the
    truth where at least 85 % of its
    intervals hold it. On the scale from 0
    to 1: # the rate, - its interval, | the
    truth.
    "
  `);
});

test.each([40, 60, 80, 100, 120])('no line is wider than %d columns', (columns) => {
  const all = judgeTunnel({ pairs: 30, trials: 2 });
  const lines = renderJudgeTunnel(all, { columns }).split('\n');
  expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
});

test('a protocol without a rate says so', () => {
  const blind = judgeTunnel({
    pairs: 20,
    trials: 2,
    bias: { sensitivity: 0.1, specificity: 0.1 },
    protocols: ['correct'],
  });
  expect(renderJudgeTunnel(blind)).toMatch(/^undecided +correct +no rate/m);
});
