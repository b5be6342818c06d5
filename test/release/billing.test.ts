import { describe, expect, test } from 'vitest';
import { sumBilling } from '../../src/release/billing/read-billing.ts';
import type { BillingExport } from '../../src/types/release/release-rules.ts';
import { explainRelease } from '../../src/release/explain/explain-release.ts';
import { verifyRelease } from '../../src/release/verify-release.ts';
import { inReleaseFolder } from './a-release.ts';

const LENIENT = { maxCostPerSuccess: 1 };

type Reading = Omit<BillingExport, 'file' | 'kinds' | 'tolerance'>;

function sum(text: string, reading: Reading = {}) {
  return sumBilling({ path: '/bill', name: 'bill', text }, reading);
}

/** Code, line and column of each problem. */
function problems(text: string, reading: Reading = {}) {
  const summed = sum(text, reading);
  return summed.ok ? [] : summed.issues.map(({ code, at }) => [code, at?.line, at?.column]);
}

describe('an export of a provider', () => {
  test('is added up exactly, in CSV and in JSON', () => {
    expect(sum('model,cost\nm,0.1\nm,0.2\n')).toEqual({ ok: true, rows: 2, nanoUsd: 300_000_000n });
    expect(sum('cost;currency\n1.2E-7;USD\n1;usd\n')).toEqual({ ok: true, rows: 2, nanoUsd: 1_000_000_120n });
    const json = JSON.stringify({
      data: [{ amount: { value: 1.5, unit: 'usd' } }, { amount: { value: '2', unit: 'usd' } }],
    });
    const reading = { amount: 'amount.value', currency: 'amount.unit' };
    expect(sum(json, reading)).toEqual({ ok: true, rows: 2, nanoUsd: 3_500_000_000n });
  });

  test('counts the rows that were asked for', () => {
    const text = 'project,cost\na,1\nb,nothing\na,2\n';
    expect(sum(text, { only: { project: 'a' } })).toEqual({ ok: true, rows: 2, nanoUsd: 3_000_000_000n });
    expect(problems(text, { only: { project: 'c' } })).toEqual([['no_row', 1, 1]]);
  });

  test('is added up by what its rows are for, under the names of the ledger', () => {
    const text = 'for,cost\n"m, in",1\nother,3\n"m, out",2\n';
    const items = { 'm, in': 'm', 'm, out': 'm' };
    expect(sum(text, { item: 'for', items })).toMatchObject({
      rows: 3,
      items: [
        { name: 'm', billedNanoUsd: '3000000000' },
        { name: 'other', billedNanoUsd: '3000000000' },
      ],
    });
    expect(problems(text, { item: 'model' })).toEqual([['missing_column', 1, 1]]);
    const many = Array.from({ length: 1001 }, (_, at) => `m${at},1\n`).join('');
    expect(problems(`for,cost\n${many}`, { item: 'for' })).toEqual([['many_items', 1, 1]]);
  });

  test('is refused for what is no amount, with its place', () => {
    const text = 'model,cost\nm,NaN\nm,-1\nm,1\nm,\nm,1000001\nm,"1,5"\nm,$2\n';
    expect(problems(text)).toEqual([
      ['no_amount', 2, 3],
      ['no_amount', 3, 3],
      ['no_amount', 5, 3],
      ['no_amount', 6, 3],
      ['no_amount', 7, 3],
      ['no_amount', 8, 3],
    ]);
    expect(problems('[{"cost": 1}, {"cost": -1}, {"cost": null}, 3]').map(([code]) => code)).toEqual([
      'no_amount',
      'no_amount',
      'no_amount',
    ]);
  });

  test('is refused for other currencies, other columns and what is no table', () => {
    expect(problems('cost,currency\n1,EUR\n')).toEqual([['foreign_currency', 2, 3]]);
    expect(problems('cost,money\n1,EUR\n', { currency: 'money' })).toEqual([['foreign_currency', 2, 3]]);
    expect(problems('costs\n1\n')).toEqual([['missing_column', 1, 1]]);
    expect(problems('cost\n1\n', { only: { project: 'a' } })).toEqual([['missing_column', 1, 1]]);
    expect(problems('cost\n1,2\n')).toEqual([['ragged_row', 2, 3]]);
    expect(problems('{"cost": 1}')).toEqual([['no_rows', 1, 1]]);
    expect(problems('')).toEqual([['missing_column', 1, 1]]);
  });
});

describe('a bill', () => {
  // Trials of two scenarios cost 0.02 USD each, and there are four of each.
  test.each([
    ['0.16', 'pass', 'BILLING', 0],
    ['0.168', 'pass', 'BILLING', 0.16 / 0.168 - 1],
    ['0.17', 'fail', 'BILLING_MISMATCH', 0.16 / 0.17 - 1],
    ['0.15', 'fail', 'BILLING_MISMATCH', 0.16 / 0.15 - 1],
    ['0', 'fail', 'BILLING_MISMATCH', null],
  ])('M-44: of %s USD beside a ledger of 0.16 is %s', async (cost, verdict, code, difference) => {
    await inReleaseFolder(async ({ run, write, folder }) => {
      await write('bill.csv', `cost\n${cost}\n`);
      const { body } = await run({ billing: { file: 'bill.csv' }, rules: LENIENT });
      expect(body.axes.cost.reasons.at(-1)).toMatchObject({ code, verdict });
      expect([body.axes.cost.verdict, body.verdict]).toEqual([verdict, verdict]);
      expect(body.billing).toMatchObject({ rows: 1, ledgerNanoUsd: '160000000', unpriced: 0, tolerance: 0.05 });
      if (difference === null) expect(body.billing?.difference).toBeNull();
      else expect(body.billing?.difference).toBeCloseTo(difference, 12);
      const { holds, checks } = await verifyRelease({ record: 'release.json', recompute: true, cwd: folder });
      expect(holds, JSON.stringify(checks)).toBe(true);
    });
  });

  test('that differs is told with both sums and what is between them', async () => {
    await inReleaseFolder(async ({ run, write }) => {
      await write('bill.csv', 'cost\n0.2\n');
      const result = await run({ billing: { file: 'bill.csv', tolerance: 0.1 }, rules: LENIENT });
      const message =
        'The provider billed $0.2, and the ledger says $0.16: $0.04 less, 20 % of the bill. At most 10 % are tolerated.';
      expect(result.body.axes.cost.reasons.at(-1)?.message).toBe(message);
      const [change] = explainRelease(result).changes.filter(({ axis }) => axis === 'cost');
      expect(change).toMatchObject({ code: 'BILLING_MISMATCH', reason: message });
    });
  });

  test('whose sum agrees does not hide that what it is made of differs', async () => {
    await inReleaseFolder(async ({ run, write, folder }) => {
      const billing = { file: 'bill.csv', item: 'for', items: { in: 'default', out: 'default' } };
      const reasons = async (rows: string) => {
        await write('bill.csv', `for,cost\n${rows}`);
        const result = await run({ billing, rules: LENIENT });
        const { holds, checks } = await verifyRelease({ record: 'release.json', recompute: true, cwd: folder });
        expect(holds, JSON.stringify(checks)).toBe(true);
        const billed = result.body.axes.cost.reasons.filter(({ code }) => code.startsWith('BILLING'));
        return [result.body.verdict, ...billed.map(({ message }) => message)];
      };
      const sums = 'The provider billed $0.16, and the ledger says $0.16; 5 % between them are tolerated.';
      expect(await reasons('in,0.06\nout,0.1\n')).toEqual(['pass', sums]);
      expect(await reasons('in,0.06\nother,0.1\n')).toEqual([
        'fail',
        sums,
        'The provider billed for default $0.06, and in the ledger $0.16; for other $0.1, and in the ledger $0.',
      ]);
    });
  });

  test('cannot be compared where lines that it covers have no price', async () => {
    await inReleaseFolder(async ({ run, write }) => {
      await write('bill.csv', 'cost\n0.16\n');
      await write('none.toml', 'id = "none"\neffective = "2026-11-01"\n');
      const { body } = await run({ billing: { file: 'bill.csv' }, rates: 'none.toml', rules: LENIENT });
      expect(body.axes.cost.reasons.map(({ code }) => code)).toEqual(['UNPRICED', 'BILLING_UNPRICED']);
      expect(body.billing).toMatchObject({ unpriced: 8, ledgerNanoUsd: '0' });
    });
  });

  test('that cannot be used is told before anything runs', async () => {
    await inReleaseFolder(async ({ run, write }) => {
      await write('bill.csv', 'cost\n-1\n');
      const events: string[] = [];
      const onProgress = ({ kind }: { readonly kind: string }): void => void events.push(kind);
      await expect(run({ billing: { file: 'bill.csv' }, onProgress })).rejects.toMatchObject({ code: 'INPUT' });
      await expect(run({ billing: { file: 'none.csv' }, onProgress })).rejects.toMatchObject({ code: 'INPUT' });
      expect(events).toEqual([]);
    });
  });
});
