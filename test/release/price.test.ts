import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  priceExitCode,
  priceRun,
  type PriceRunOptions,
  renderPrice,
  renderPriceMarkdown,
  renderReport,
  runSuite,
} from '../../src/index.ts';
import { priceLine } from '../../src/release/price-line.ts';
import { priceCases } from '../../src/release/price/costs.ts';
import { parseRanges } from '../../src/release/price/parse-ranges.ts';
import { Rates } from '../../src/release/price/rates.ts';
import type { SpentCase } from '../../src/release/price/spending.ts';
import { NO_CHANGE, tornado } from '../../src/release/price/tornado.ts';
import { rateCardOf } from '../../src/release/rate-card.ts';
import type { LedgerSum } from '../../src/types/record.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import { tauRuns, tauText } from '../suite/recordings/tau-runs.ts';
import { aCase, ATTACK, inReleaseFolder, type ReleaseFolder, REVIEWED } from './a-release.ts';

const SAME = { ...NO_CHANGE, cacheShare: null, batchShare: null, reservedShare: null, utilisation: null };
const AS_RUN = { retries: null, attempts: 1 };
const NOTHING = { cacheShare: null, batchShare: null, reservedShare: null, utilisation: null, ...AS_RUN };

/** USD for a million tokens. */
const CARD = { id: 'c', effective: '2026-11-01', models: { m: { input: 3, output: 15, cache_read: 0.3 } } };

function aLine(prompt: number, completion: number, more: Partial<LedgerSum> = {}): LedgerSum {
  const usage = {
    promptTokens: prompt,
    completionTokens: completion,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  return { kind: 'model', name: 'm', attempt: 1, units: 1, usage, nanoUsd: null, trials: 1, ...more };
}

/** Dollars without tokens, as a recording brings them along. */
function aSum(usd: number, attempt = 1): LedgerSum {
  return aLine(0, 0, { usage: null, nanoUsd: Math.round(usd * 1e9), attempt });
}

function aSpentCase(more: Partial<SpentCase> = {}): SpentCase {
  return { name: 's', trials: 20, passed: 15, retries: 0, lines: [aLine(1_000_000, 100_000)], ...more };
}

describe('what a run would have cost', () => {
  test('is the worked example of F-10 with its retries, without them, and with twice as many', () => {
    const run = [aSpentCase({ retries: 6, lines: [aSum(2.4), aSum(0.9, 2)] })];
    const rates = new Rates(CARD, SAME);
    const cost = (retries: number | null) => priceCases(run, rates, { retries, attempts: 1 }).costs;
    const measured = cost(null);
    expect(measured.perSuccessUsd).toBeCloseTo(0.208, 12);
    expect(measured.perSuccessExactUsd).toBeCloseTo(0.22, 12);
    expect(measured.gap).toBeCloseTo(-0.0545454545, 9);
    expect(cost(0)).toMatchObject({ totalUsd: 2.4, perSuccessUsd: 0.16, perSuccessExactUsd: 0.16 });
    expect(cost(0.3).totalUsd).toBeCloseTo(3.3, 12);
    expect(cost(0.6).perSuccessExactUsd).toBeCloseTo((2.4 + 1.8) / 15, 12);
  });

  test('takes a retry to cost what a run does, where no line says which attempt it was of', () => {
    const run = [aSpentCase({ retries: 10, lines: [aSum(3)] })];
    const cost = (retries: number | null) => priceCases(run, new Rates(CARD, SAME), { retries, attempts: 1 }).costs;
    expect([cost(null).totalUsd, cost(0).totalUsd]).toEqual([3, 2]);
    expect(cost(0.5).totalUsd).toBeCloseTo(3, 12);
  });

  test('counts attempts until one succeeds as pass@k has them', () => {
    const run = [aSpentCase({ trials: 4, passed: 2, lines: [aSum(4)] })];
    const { costs } = priceCases(run, new Rates(CARD, SAME), { retries: null, attempts: 2 });
    // A second attempt is made as often as the first fails: 1/2. Both fail in 1 of 6 pairs.
    expect([costs.totalUsd, costs.successes]).toEqual([6, expect.closeTo(4 * (5 / 6), 12)]);
    expect(costs.perSuccessExactUsd).toBeCloseTo(1.8, 12);
    // Where nothing ever succeeds, every attempt is made.
    const never = [aSpentCase({ trials: 4, passed: 0, lines: [aSum(4)] }), aSpentCase({ lines: [aSum(20)] })];
    expect(priceCases(never, new Rates(CARD, SAME), { retries: null, attempts: 3 }).costs.totalUsd).toBeCloseTo(
      4 * 3 + 20 * (1 + 5 / 20 + (5 * 4) / (20 * 19)),
      12,
    );
  });

  test('moves with the share of input that a cache holds, and of requests in a batch', () => {
    const usd = (change: object) =>
      (new Rates(CARD, { ...SAME, ...change }).priceOf(aLine(1_000_000, 100_000)) ?? 0) / 1e9;
    expect(usd({})).toBeCloseTo(4.5, 12);
    expect(usd({ cacheShare: 0.5 })).toBeCloseTo(1.5 + 0.15 + 1.5, 12);
    expect(usd({ batchShare: 1 })).toBeCloseTo(2.25, 12);
    expect(usd({ batchShare: 0.5 })).toBeCloseTo(3.375, 12);
    expect(usd({ inputPrice: 2, outputPrice: 0.5 })).toBeCloseTo(6.75, 12);
  });

  test('moves with how much a reservation serves, and how well it is used', () => {
    const reserved = { fee_per_hour: 100, tokens_per_hour: 1e7, utilisation: 0.5 };
    const card = { ...CARD, models: { m: { ...CARD.models.m, reserved } } };
    const usd = (change: object) => (new Rates(card, { ...SAME, ...change }).priceOf(aLine(1_000_000, 0)) ?? 0) / 1e9;
    expect([usd({}), usd({ reservedShare: 0 }), usd({ utilisation: 1 })]).toEqual([20, 3, 10]);
    expect(usd({ reservedShare: 0.5 })).toBeCloseTo(11.5, 12);
  });

  test('is that of the rate card where nothing is changed, for any prices and usage', () => {
    const price = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100);
    const rate = fc.record(
      {
        input: price,
        output: price,
        cache_read: price,
        cache_write: price,
        reasoning: price,
        request: price,
        batch: fc.boolean(),
      },
      { requiredKeys: ['input', 'output'] },
    );
    const tokens = fc.nat(1_000_000);
    const usage = fc.record({
      promptTokens: tokens,
      completionTokens: tokens,
      cachedTokens: tokens,
      cacheWriteTokens: tokens,
      reasoningTokens: tokens,
    });
    fc.assert(
      fc.property(rate, usage, (m, spent) => {
        const card = { ...CARD, models: { m } };
        const line = aLine(0, 0, { usage: spent });
        expect(new Rates(card, SAME).priceOf(line)).toBe(Number(priceLine(line, rateCardOf(card))));
      }),
    );
  });

  test('is a lower bound where something has no price, and never 0', () => {
    const run = [aSpentCase({ lines: [aSum(3), aLine(5, 5, { name: 'other', trials: 7 })] }), aSpentCase()];
    const { costs, unpriced } = priceCases(run, new Rates(CARD, SAME), AS_RUN);
    expect(unpriced).toEqual([{ kind: 'model', name: 'other', trials: 7 }]);
    expect([costs.isLowerBound, costs.perSuccessInterval, costs.totalUsd]).toEqual([true, null, 7.5]);
  });

  test('leaves judges and simulated users out of what a success costs', () => {
    const run = [aSpentCase({ lines: [aSum(3), { ...aSum(1), kind: 'judge' }] })];
    const { costs } = priceCases(run, new Rates(CARD, SAME), AS_RUN);
    expect([costs.totalUsd, costs.evaluationUsd]).toEqual([3, 1]);
  });
});

describe('the tornado plot', () => {
  const plot = (cases: readonly SpentCase[], more: object = {}) =>
    tornado(cases, { rates: CARD, asked: NOTHING, swing: 0.2, ranges: {}, ...more });

  test('has every input, the one that moves most first', () => {
    const bars = plot([aSpentCase()]);
    expect(bars.map(({ input }) => input)).toEqual([
      'success_rate',
      'input_price',
      'retries',
      'output_price',
      'cache_share',
      'batch_share',
      'cached_price',
      'reserved_share',
    ]);
    const input = bars.find((bar) => bar.input === 'input_price');
    expect(input?.swingUsd).toBeCloseTo((3 * 0.4) / 15, 12);
    expect(bars.at(-1)).toMatchObject({ input: 'reserved_share', swingUsd: 0 });
  });

  test('takes the success rate to the ends of its interval, of which 0 is without limit', () => {
    const [bar] = plot([aSpentCase({ trials: 3, passed: 3 })]);
    expect(bar).toMatchObject({ input: 'success_rate', at: 1, high: { at: 1, perSuccessUsd: 1.5 } });
    const [unlimited] = plot([aSpentCase()], { ranges: { success_rate: [0, 1] } });
    expect(unlimited).toMatchObject({ input: 'success_rate', swingUsd: null, low: { at: 0, perSuccessUsd: null } });
  });

  test('goes as far as it is told, around what was asked', () => {
    const asked = { ...NOTHING, cacheShare: 0.5 };
    const bars = plot([aSpentCase()], { asked, ranges: { cache_share: [0, 0.9], output_price: [1, 3] } });
    const bar = (name: string) => bars.find(({ input }) => input === name);
    expect(bar('cache_share')).toMatchObject({ at: 0.5, low: { at: 0, perSuccessUsd: 4.5 / 15 }, high: { at: 0.9 } });
    expect(bar('output_price')?.swingUsd).toBeCloseTo((2 * 1.5) / 15, 12);
  });

  test('is empty where nothing succeeded', () => {
    expect(plot([aSpentCase({ passed: 0 })])).toEqual([]);
    expect(plot([])).toEqual([]);
  });
});

/** Two scenarios that count, of which one always fails, and an attack that does not. */
async function aRun({ run }: ReleaseFolder) {
  return run({
    scenarios: [aCase('good', REVIEWED), aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)],
    rules: { trials: 4 },
  });
}

describe('passk price', () => {
  test('gives a release its own costs under its own rates', async () => {
    await inReleaseFolder(async (folder) => {
      const { body } = await aRun(folder);
      const options = { run: 'release.json', rates: 'rates.toml', cwd: folder.folder };
      const { source, measured, priced, unpriced } = await priceRun(options);
      expect(source).toEqual({ kind: 'record', name: 'release.json', cases: 2, trials: 8, passed: 4 });
      const { perSuccessUsd, perSuccessExactUsd, perSuccessInterval, gap, perReliableTask } = body.cost;
      expect(measured).toMatchObject({ perSuccessUsd, perSuccessExactUsd, perSuccessInterval, gap, perReliableTask });
      expect([priced, unpriced, measured.isLowerBound]).toEqual([measured, [], false]);
    });
  });

  test('takes back the prices of the card that a record was made with', async () => {
    await inReleaseFolder(async (folder) => {
      await aRun(folder);
      await folder.write('none.toml', 'id = "none"\neffective = "2026-11-01"\n');
      const priced = await priceRun({ run: 'release.json', rates: 'none.toml', cwd: folder.folder });
      expect(priced.unpriced).toEqual([{ kind: 'model', name: 'default', trials: 8 }]);
      expect(priced.measured).toMatchObject({ isLowerBound: true, totalUsd: 0 });
      expect(renderPrice(priced)).toContain('at least $0');
    });
  });

  test('refuses a record that was changed', async () => {
    await inReleaseFolder(async (folder) => {
      await aRun(folder);
      await folder.write(
        'release.json',
        (await folder.read('release.json')).replace('"successes": 4', '"successes": 5'),
      );
      const options = { run: 'release.json', rates: 'rates.toml', cwd: folder.folder };
      await expect(priceRun(options)).rejects.toMatchObject({ code: 'INTEGRITY' });
    });
  });

  test('prices a report by its ledger, and without one by its tokens, which it says', async () => {
    await inReleaseFolder(async ({ folder, write }) => {
      const scenarios = [aCase('good', { trials: 4 }), aCase('attack', { ...ATTACK, trials: 4 })];
      const price = async (options: Partial<PriceRunOptions>, ledger: boolean) => {
        const report = await runSuite({ cwd: folder, scenarios, workers: 0, ledger });
        await write('report.json', renderReport(report, { reporter: 'json' }));
        return priceRun({ run: 'report.json', rates: 'rates.toml', cwd: folder, ...options });
      };
      const told = await price({}, true);
      expect(told).toMatchObject({ source: { kind: 'report', cases: 1, trials: 4 }, unpriced: [], notes: [] });
      expect(told.measured.perSuccessExactUsd).toBeCloseTo(0.02, 12);
      const summed = await price({}, false);
      expect(summed.unpriced).toEqual([{ kind: 'model', name: '*', trials: 4 }]);
      expect(summed.notes[0]).toContain('A run with --ledger tells them.');
      await write('all.toml', 'id = "a"\neffective = "2026-11-01"\n[models."*"]\ninput = 10\noutput = 100\n');
      expect((await price({ rates: 'all.toml' }, false)).measured.perSuccessExactUsd).toBeCloseTo(0.02, 12);
    });
  });

  test('prices runs that other programs recorded, task by task', async () => {
    await inReleaseFolder(async ({ folder, write }) => {
      await write('runs.json', tauText(tauRuns({ a: 2, b: 1 }, 2)));
      const { source, unpriced } = await priceRun({ run: 'runs.json', rates: 'rates.toml', cwd: folder, workers: 0 });
      expect(source).toEqual({ kind: 'recordings', name: 'runs.json', cases: 2, trials: 4, passed: 3 });
      // Their source tells neither costs nor tokens, which is no 0.
      expect(unpriced).toEqual([{ kind: 'model', name: 'model', trials: 4 }]);
      await write('failed.json', tauText(tauRuns({ a: 0 }, 2)));
      const failed = await priceRun({ run: 'failed.json', rates: 'rates.toml', cwd: folder, workers: 0 });
      expect(renderPrice(failed)).toContain('for a success   none with retries amortised');
    });
  });

  test('holds a success to a ceiling', async () => {
    await inReleaseFolder(async (folder) => {
      await aRun(folder);
      await folder.write('none.toml', 'id = "none"\neffective = "2026-11-01"\n');
      const judge = async (maxCostPerSuccess: number, rates = 'rates.toml') => {
        const priced = await priceRun({ run: 'release.json', rates, cwd: folder.folder, maxCostPerSuccess });
        return [priced.gate?.verdict, priceExitCode(priced)];
      };
      expect(await judge(0.05)).toEqual(['pass', 0]);
      expect(await judge(0.03)).toEqual(['fail', 1]);
      expect(await judge(0.05, 'none.toml')).toEqual(['insufficient', 3]);
    });
  });

  test('refuses numbers and ranges that cannot be', async () => {
    await inReleaseFolder(async (folder) => {
      await aRun(folder);
      const refused: readonly Partial<PriceRunOptions>[] = [
        { cacheShare: 1.5 },
        { cacheShare: Number.NaN },
        { batchShare: -1 },
        { utilisation: 0 },
        { retries: Number.POSITIVE_INFINITY },
        { attempts: 0 },
        // There are 4 trials.
        { attempts: 5 },
        { swing: 0 },
        { ranges: { cache_share: [0, 2] } },
        { ranges: { retries: [3, 1] } },
      ];
      for (const options of refused) {
        const priced = priceRun({ run: 'release.json', rates: 'rates.toml', cwd: folder.folder, ...options });
        await expect(priced).rejects.toMatchObject({ code: 'USAGE' });
      }
      for (const word of ['cache_share', 'cache=0:1', 'cache_share=-1:1', 'cache_share=a:b']) {
        expect(() => parseRanges([word])).toThrow(expect.objectContaining({ code: 'USAGE' }));
      }
      expect(parseRanges(['cache_share=0:0.9', 'retries=0:2'])).toEqual({ cache_share: [0, 0.9], retries: [0, 2] });
      for (const run of ['none.json', 'rates.toml']) {
        await expect(priceRun({ run, rates: 'rates.toml', cwd: folder.folder })).rejects.toMatchObject({
          code: 'INPUT',
        });
      }
    });
  });

  test('shows costs and bars that fit, in ASCII where it must', async () => {
    await inReleaseFolder(async (folder) => {
      await aRun(folder);
      const options = { run: 'release.json', rates: 'rates.toml', cwd: folder.folder };
      const priced = await priceRun({ ...options, batchShare: 0.5, maxCostPerSuccess: 1 });
      expect(renderPrice(priced)).toMatchInlineSnapshot(`
        "record          release.json: 2 scenarios, 8 trials, 4 passed
        rates           test of 2026-11-01
        asked           50 % of requests in a batch
        spent           $0.16 → $0.12
        for a success   $0.04 → $0.03 with retries amortised
                        $0.04 → $0.03 exactly, 95 %: $0.002189 to no limit
        for pass^2      $0.12
        for pass^4      $0.12

        what moves the cost of a success: ▒ at the low value, █ at the high one
        success rate  ████│▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  15.7 % to 84.3 %: $0.09553 → $0.01779
        batch share      █│▒                       30 % to 70 %: $0.034 → $0.026
        input price      ▒│█                       80 % to 120 %: $0.027 → $0.033
        output price     ▒│█                       80 % to 120 %: $0.027 → $0.033
        retries           │██                      0 to 0.2: $0.03 → $0.036
        cached price      │                        80 % to 120 %: $0.03 → $0.03
        cache share       │                        0 % to 20 %: $0.03 → $0.03
        reserved          │                        0 % to 20 %: $0.03 → $0.03

        verdict         pass: A success costs no more than the ceiling. Ceiling: $1.
        "
      `);
      expect(renderPriceMarkdown(priced)).toMatchInlineSnapshot(`
        "| | |
        |---|---|
        | record | \`release.json: 2 scenarios, 8 trials, 4 passed\` |
        | rates | \`test of 2026-11-01\` |
        | asked | \`50 % of requests in a batch\` |
        | spent | \`$0.16 → $0.12\` |
        | for a success | \`$0.04 → $0.03 with retries amortised\` |
        |  | \`$0.04 → $0.03 exactly, 95 %: $0.002189 to no limit\` |
        | for pass^2 | \`$0.12\` |
        | for pass^4 | \`$0.12\` |

        | input, from low to high | ▒ at the low value, █ at the high one | low | high |
        |---|---|--:|--:|
        | success rate, 15.7 % to 84.3 % | \`█████│▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒\` | $0.09553 | $0.01779 |
        | batch share, 30 % to 70 % | \`    ██│▒                          \` | $0.034 | $0.026 |
        | input price, 80 % to 120 % | \`     ▒│█                          \` | $0.027 | $0.033 |
        | output price, 80 % to 120 % | \`     ▒│█                          \` | $0.027 | $0.033 |
        | retries, 0 to 0.2 | \`      │██                         \` | $0.03 | $0.036 |
        | cached price, 80 % to 120 % | \`      │                           \` | $0.03 | $0.03 |
        | cache share, 0 % to 20 % | \`      │                           \` | $0.03 | $0.03 |
        | reserved, 0 % to 20 % | \`      │                           \` | $0.03 | $0.03 |

        **pass** A success costs no more than the ceiling.
        "
      `);
      for (const columns of [40, 60, 120]) {
        const lines = renderPrice(priced, { columns, unicode: false }).split('\n');
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what is no ASCII is looked for.
        expect(lines.join('')).toMatch(/^[\x00-\x7f]*$/);
      }
    });
  });
});
