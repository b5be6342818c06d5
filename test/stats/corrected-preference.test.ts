import { expect, test } from 'vitest';
import { xoshiro128 } from '../../src/random/xoshiro128.ts';
import { correctedPreference } from '../../src/stats/judged/corrected-preference.ts';

const LABELS = { onBetter: { items: 100, agreed: 90 }, onOthers: { items: 100, agreed: 95 } };

test('the difference is the judge’s own over sensitivity + specificity − 1, the same for either side, within −1 and 1', () => {
  const worse = correctedPreference({ pairs: 100, better: 20, worse: 37, ...LABELS });
  expect(worse?.difference).toBeCloseTo(-0.17 / 0.85, 12);
  const better = correctedPreference({ pairs: 100, better: 37, worse: 20, ...LABELS });
  expect(better?.difference).toBeCloseTo(0.17 / 0.85, 12);
  expect(better?.interval).toEqual(worse?.interval.map((end) => -end).reverse());
  const all = correctedPreference({ pairs: 100, better: 0, worse: 100, ...LABELS });
  expect([all?.difference, all?.interval[0]]).toEqual([-1, -1]);
});

test('does not exist without pairs, without labels, and for a judge that tells nothing', () => {
  const some = { pairs: 10, better: 2, worse: 3, ...LABELS };
  expect(correctedPreference({ ...some, pairs: 0, better: 0, worse: 0 })).toBeNull();
  expect(correctedPreference({ ...some, onBetter: { items: 0, agreed: 0 } })).toBeNull();
  const blind = { items: 100, agreed: 50 };
  expect(correctedPreference({ ...some, onBetter: blind, onOthers: blind })).toBeNull();
});

test.each([
  { people: [0.2, 0.35], labels: 50 },
  { people: [0.3, 0.3], labels: 50 },
  { people: [0.1, 0.6], labels: 100 },
])(
  'covers what people find in 93 to 98 % of 4,000 evaluations: $people',
  ({ people: [better = 0, worse = 0], labels }) => {
    const random = xoshiro128(11);
    const draw = (): number => (random.next() + 0.5) / 0x100000000;
    const count = (times: number, chance: number): number =>
      Array.from({ length: times }, draw).filter((one) => one < chance).length;
    const [sensitivity, specificity] = [0.9, 0.93];
    const wins = better * sensitivity + (1 - better) * (1 - specificity);
    const losses = worse * sensitivity + (1 - worse) * (1 - specificity);
    let held = 0;
    const times = 4000;
    for (let at = 0; at < times; at++) {
      const drawn = Array.from({ length: 300 }, draw);
      const [won, lost] = [
        drawn.filter((one) => one < wins).length,
        drawn.filter((one) => one >= wins && one < wins + losses).length,
      ];
      const found = correctedPreference({
        pairs: 300,
        better: won,
        worse: lost,
        onBetter: { items: labels, agreed: count(labels, sensitivity) },
        onOthers: { items: labels, agreed: count(labels, specificity) },
      });
      const [low = 1, high = -1] = found?.interval ?? [];
      if (low <= better - worse && better - worse <= high) held++;
    }
    expect(held / times).toBeGreaterThan(0.93);
    expect(held / times).toBeLessThan(0.98);
  },
);
