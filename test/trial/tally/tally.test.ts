import type { HeapProfiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { expect, it } from 'vitest';
import { MAX_VERDICT_BITS } from '../../../src/trial/tally/verdict-words.ts';
import { aTally } from '../../suite/a-tally.ts';

it('merging the verdicts of a million trials makes next to no garbage', async () => {
  const whole = aTally({ trials: 0 });
  const delta = aTally({ trials: 0 });
  for (let trial = 0; trial < MAX_VERDICT_BITS; trial += 2) {
    whole.markPassed(trial);
    delta.markPassed(trial + 1);
  }
  expect(await bytesMadeBy(() => whole.merge(delta))).toBeLessThan(MAX_VERDICT_BITS);
  expect(whole.verdicts.words.every((word) => word === 0xffff_ffff)).toBe(true);
});

/** What is collected meanwhile counts, too. */
async function bytesMadeBy(work: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 1024,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    work();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    return bytesOf(profile.head);
  } finally {
    session.disconnect();
  }
}

function bytesOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((bytes, child) => bytes + bytesOf(child), selfSize);
}
