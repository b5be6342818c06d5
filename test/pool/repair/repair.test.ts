import { expect, test } from 'vitest';
import { type CarefulWork, repairTrials } from '../../../src/pool/repair/repair.ts';

const work: CarefulWork = { kind: 'careful', scenario: 0, block: 0, from: 0, to: 128 };

test('of trials that run one by one, the one that ended its worker is skipped, and no other', () => {
  const { culprit, left } = repairTrials(work, [{ from: 40, to: 128 }], { trial: 40, certain: true });
  expect({ culprit, left }).toEqual({ culprit: 40, left: [{ ...work, from: 41, to: 128 }] });
  const between = repairTrials(work, [{ from: 40, to: 128 }], { trial: 50, certain: true });
  expect(between.left).toEqual([
    { ...work, from: 40, to: 50 },
    { ...work, from: 51, to: 128 },
  ]);
});

test('a trial that may have died of what others left behind is the first to run again', () => {
  const { culprit, left } = repairTrials(work, [{ from: 50, to: 128 }], { trial: 50, certain: false });
  expect({ culprit, left }).toEqual({ culprit: null, left: [{ ...work, from: 50, to: 128 }] });
});
