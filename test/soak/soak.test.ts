import process from 'node:process';
import { expect, test } from 'vitest';
import { growth, type Sample, soak } from './soak.ts';

/** Minutes to go on for; a few rounds unless told otherwise. */
const MINUTES = Number(process.env['PASSK_SOAK_MINUTES'] ?? 0);
const SHORT_ROUNDS = 12;

test('rounds of every kind of run leave memory, files and threads as they were', {
  timeout: MINUTES * 60_000 + 300_000,
}, async () => {
  const end = Date.now() + MINUTES * 60_000;
  const { samples, rounds } = await soak((done) => done < SHORT_ROUNDS || Date.now() < end);
  const shares = (['heap', 'rss', 'files', 'threads', 'resources'] as const).map((of) => [of, growth(samples, of)]);
  process.stderr.write(
    `soak: ${rounds} rounds; growth ${shares.map(([of, share]) => `${of} ${Number(share).toFixed(4)}`).join(', ')}\n`,
  );
  const late = samples.slice(Math.floor(rounds / 3));
  const spread = (of: keyof Sample): number => {
    const values = late.map((one) => one[of]);
    return Math.max(...values) - Math.min(...values);
  };
  // Handles are counted exactly but for what is just being closed.
  expect(spread('threads')).toBeLessThanOrEqual(2);
  expect(spread('files')).toBeLessThanOrEqual(6);
  expect(spread('resources')).toBeLessThanOrEqual(6);
  expect(growth(samples, 'heap')).toBeLessThan(MINUTES > 1 ? 0.1 : 0.25);
  expect(growth(samples, 'rss')).toBeLessThan(MINUTES > 1 ? 0.15 : 0.4);
});
