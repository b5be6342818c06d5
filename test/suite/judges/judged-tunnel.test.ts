import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judgedTunnel, type JudgedTunnelOptions, type JudgeTunnel, renderJudgeTunnel } from '../../../src/index.ts';
import type { LiveModel } from '../../../src/settings/live-functions.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import { askedOf, verdict } from '../../judges/a-judge.ts';
import { nli } from '../../judges/a-verifier.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-judged-tunnel-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const HELPS: JudgeSetting = { name: 'helps', models: ['m'], criteria: [{ id: 'helps', text: 'It helps.' }] };
const BETTER: JudgeSetting = { ...HELPS, name: 'better', compares: true };

function tunnel(judge: JudgeSetting, m: LiveModel, options: Partial<JudgedTunnelOptions> = {}): Promise<JudgeTunnel> {
  return judgedTunnel({ judge: judge.name, judges: [judge], models: { m }, ask: { cwd }, ...options });
}

const SPENT = { promptTokens: 10, completionTokens: 2 };
/** Compares by a number that each record has; equal ones tie. */
const comparing =
  (worth: (record: string, isFirst: boolean) => number): LiveModel =>
  (request) => {
    const { mark, record } = askedOf(request);
    const [a = '', b = ''] = record.split('end of record A');
    const more = worth(a, true) - worth(b, false);
    const content = JSON.stringify({ mark, reason: 'So.', verdict: more === 0 ? 'tie' : more > 0 ? 'A' : 'B' });
    return { content, ...SPENT };
  };
const cares = (record: string): number => (record.includes('do not care') ? -100 : 0);
const ruling =
  (holds: (record: string) => boolean): LiveModel =>
  (request) => {
    const asked = askedOf(request);
    return { content: verdict(asked, () => holds(asked.record)), ...SPENT };
  };

/** By the words for what the judge is shown, and the name of the protocol. */
const rates = ({ protocols }: JudgeTunnel, judge: string) =>
  Object.fromEntries(
    protocols.filter((one) => one.judge === judge).map(({ name, winRate, recovers }) => [name, [winRate, recovers]]),
  );
const bars = ({ asked }: JudgeTunnel) => Object.fromEntries(asked?.probes.map((one) => [one.probe, one.verdict]) ?? []);

test('a real judge stands beside fake ones, and a fair one is told from those that follow place, length or style', async () => {
  const fair = await tunnel(BETTER, comparing(cares));
  expect(bars(fair)).toEqual({ position: 'reached', length: 'reached', style: 'reached' });
  expect(fair.asked).toMatchObject({ useful: { items: 50, agreed: 50 }, useless: null, repeats: 1 });
  // Both orders of fifty pairs, three times equal ones and once useful against useless.
  expect(fair.asked?.took).toMatchObject({ items: 200, promptTokens: 4000 });
  expect(rates(fair, 'better: reordered')).toEqual({ unswapped: [0.5, true], swapped: [0.5, true] });
  expect(Object.keys(rates(fair, 'better: longer'))).toEqual([
    'unswapped',
    'swapped',
    'length-controlled',
    'swapped, length-controlled',
  ]);
  expect(fair.judges.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['better: reordered', 'better: longer', 'better: styled', 'position', 'fair']),
  );
  expect(fair.judges.find(({ name }) => name === 'better: styled')?.faults).toEqual({ styled: 1 });

  const first = await tunnel(
    BETTER,
    comparing((record, isFirst) => cares(record) + (isFirst ? 1 : 0)),
  );
  expect(bars(first)).toMatchObject({ position: 'missed' });
  expect(rates(first, 'better: reordered')).toEqual({ unswapped: [1, false], swapped: [0.5, true] });
  const listed = await tunnel(
    BETTER,
    comparing((record) => cares(record) + (record.includes('- **') ? 1 : 0)),
  );
  expect(bars(listed)).toEqual({ position: 'reached', length: 'reached', style: 'missed' });
  expect(rates(listed, 'better: styled')['swapped']).toEqual([1, false]);
  const long = await tunnel(
    BETTER,
    comparing((record) => cares(record) + record.length / 1e4),
  );
  expect(bars(long)).toMatchObject({ length: 'missed' });
  expect(rates(long, 'better: longer')['swapped']?.[1]).toBe(false);
  const text = renderJudgeTunnel(first, { columns: 120 });
  expect(text).toContain('Judge "better" asks m, 1 time each');
  expect(text).toContain('50 of 50 [0.93, 1.00] preferred to useless ones in both orders');
  expect(text).toMatch(/position {2}missed: Its verdict is the same in both orders in 0\.0 % of comparisons/);
});

test('a judge of single answers is corrected by labels of its own, and shown what it takes back', async () => {
  const sound = ruling((record) => !record.includes('do not care'));
  const found = await tunnel(HELPS, sound);
  expect(found.asked).toMatchObject({ useful: { items: 50, agreed: 50 }, useless: { items: 50, agreed: 50 } });
  expect(bars(found)).toEqual({ length: 'reached', style: 'reached', noise: 'reached', attacks: 'reached' });
  // It passes every third useless answer.
  let useless = 0;
  const lenient = await tunnel(
    HELPS,
    ruling((record) => !record.includes('do not care') || useless++ % 3 === 0),
  );
  const { uncorrected, corrected } = rates(lenient, 'helps');
  expect(uncorrected?.[0]).toBeGreaterThan(0.55);
  expect(corrected?.[1]).toBe(true);
  expect(Math.abs(Number(corrected?.[0]) - 0.5)).toBeLessThan(Math.abs(Number(uncorrected?.[0]) - 0.5));
  const verifies = await tunnel({ name: 'grounded', models: ['m'], verifies: true }, nli, { pairs: 10 });
  expect(verifies.asked).toMatchObject({ useful: { items: 10, agreed: 10 }, useless: { items: 10, agreed: 10 } });
});

test('it is asked from a cassette again with the same bytes, and what cannot be tried is told before anybody is asked', async () => {
  const small = { pairs: 6, protocols: ['plain', 'swap,repeats=3'] };
  const recorded = await tunnel(BETTER, comparing(cares), { ...small, ask: { cwd, record: 'a.cassette' } });
  const silent: LiveModel = () => ({ error: 'Nobody is here.' });
  const replayed = await tunnel(BETTER, silent, { ...small, ask: { cwd, replay: 'a.cassette' } });
  expect(JSON.stringify(replayed)).toBe(JSON.stringify(recorded));
  expect(
    recorded.protocols.filter(({ judge }) => judge === 'better: reordered').map(({ questions }) => questions),
  ).toEqual([1, 6]);
  const mute = await tunnel(BETTER, silent, { pairs: 2 });
  expect(mute.protocols[0]).toMatchObject({ errors: 2, winRate: null });
  await expect(tunnel(BETTER, silent, { judge: 'other' })).rejects.toThrow('none of the judges');
  await expect(tunnel(BETTER, silent, { protocols: ['ensemble=3'] })).rejects.toThrow('fake judges take part');
  await expect(tunnel(HELPS, silent, { protocols: ['plain', 'repeats=3'] })).rejects.toThrow('as often under each');
  await expect(tunnel(HELPS, silent, { protocols: ['swap'] })).rejects.toThrow('fits no judge here');
});
