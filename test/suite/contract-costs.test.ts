import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePrices } from '../../src/baseline/price-table.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import type { RunSuiteOptions } from '../../src/settings/options.ts';
import { type PriceSources, priceWord, tokenPriceIn, withPrices } from '../../src/suite/plan/plan-prices.ts';
import { planOne } from '../../src/suite/plan/plan-one.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { traceTrial } from '../../src/suite/trace-trial.ts';
import type { ModelPrice, PlannedEndpoint } from '../../src/types/model-endpoint.ts';
import type { Scenario } from '../../src/types/scenario.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';
import { HELLO_WORKFLOW } from './hello-workflow.ts';

interface Changes {
  readonly maxUsd?: string;
  /** A line of `[contract]`. */
  readonly price?: string;
  readonly negate?: boolean;
}

/** Each trial takes 10 tokens there and 4 back. */
function aContract({ maxUsd = '0.00009', price = '', negate = false }: Changes = {}): string {
  return `
[contract]
name = "Cheap"
prompts = ["Hello?"]
trials = 3
${price}
[[contract.invariants]]
id = "is-cheap"
type = "max_cost"
max_usd = ${maxUsd}
negate = ${negate}
severity = "critical"
[[contract.chaos_matrix]]
name = "calm"
${HELLO_WORKFLOW}prompt_tokens = 10
completion_tokens = 4
`;
}

const OF_FILE = 'price = { input = 3, output = 15 }';

async function judged(changes: Changes, options: RunSuiteOptions = {}): Promise<string> {
  const report = await inFolder({ 'cheap.toml': aContract(changes) }, (cwd) =>
    runSuite({ cwd, workers: 0, ...options }),
  );
  return matrixOf(onlyContract(report)).join();
}

describe('max_cost', () => {
  test.each<[string, Changes, RunSuiteOptions, string]>([
    ['the price of the run', {}, { prices: { input: 3, output: 15 } }, 'P'],
    ['one price of all tokens', { maxUsd: '0.000042' }, { prices: 3 }, 'P'],
    ['the price of the file', { price: OF_FILE }, {}, 'P'],
    ['the price of the run before that of the file', { price: OF_FILE }, { prices: { input: 3, output: 16 } }, 'F'],
    ['a bound just below the cost', { maxUsd: '0.000089999', price: OF_FILE }, {}, 'F'],
    ['a bound just below the cost, turned around', { maxUsd: '0.000089999', price: OF_FILE, negate: true }, {}, 'P'],
  ])('judges by %s', async (_, changes, options, cell) => {
    expect(await judged(changes, options)).toBe(cell);
  });

  test('without a price ends the run before it begins, with the flag to add', async () => {
    await expect(judged({})).rejects.toMatchObject({
      code: 'USAGE',
      message: 'max_cost needs a price, and the contract "Cheap" has none.',
      hint: expect.stringContaining('--price input=3,output=15'),
    });
  });

  test('has its price in the plan, so that shards of other prices are not mixed and merging needs none', async () => {
    await inFolder({ 'cheap.toml': aContract({ maxUsd: '0.00001' }) }, async (cwd) => {
      const options = { cwd, workers: 0, prices: { input: 3, output: 15 } };
      const part = async (index: number, prices: number | { input: number; output: number }) => {
        const { bytes } = await runShard({ ...options, prices, shard: { index, count: 2 } });
        return { name: `${index}.shard`, bytes };
      };
      const [one, two, other] = [await part(1, options.prices), await part(2, options.prices), await part(2, 4)];
      const { report } = await mergeShards([one, two], { cwd });
      expect(onlyContract(report)).toEqual(onlyContract(await runSuite(options)));
      await expect(mergeShards([one, other], { cwd })).rejects.toMatchObject({ code: 'INPUT' });
    });
  });

  test('comes with the command that shows a trial of a red cell at the same price', async () => {
    await inFolder({ 'cheap.toml': aContract({ maxUsd: '0.00001' }) }, async (cwd) => {
      const prices = { input: 3, output: 0.0375 };
      const { evidence } = onlyContract(await runSuite({ cwd, workers: 0, prices })).cells[0] ?? {};
      expect(evidence?.message).toBe('expected at most $0.00001, got $0.00003015');
      expect(evidence?.replay).toContain(' --price input=3,output=0.0375');
      const { result } = await traceTrial({ cwd, file: 'cheap.toml', part: 'calm, prompt 1', trial: 0, prices });
      expect(result.findings.map(({ message }) => message)).toEqual([`is-cheap: ${evidence?.message}`]);
    });
  });

  test.each([
    ['price = { input = 3 }', 'missing_key'],
    ['price = { input = 3, output = -1 }', 'out_of_range'],
    ['price = 3', 'wrong_type'],
  ])('takes %s for what it is, an error with its place', async (price, code) => {
    const { issues } = await inFolder({ 'cheap.toml': aContract({ price }) }, (cwd) => loadSuite({ cwd }));
    expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code, at: { file: 'cheap.toml', line: 6 } },
    ]);
  });
});

describe('the price of a scenario', () => {
  const price = async (sources: Partial<PriceSources>): Promise<string | null> => {
    const scenario = await inFolder({ 'cheap.toml': aContract({ price: OF_FILE }) }, async (cwd) => {
      return (await planOne(path.join(cwd, 'cheap.toml'), { cwd }, { part: 'calm, prompt 1' })).scenario;
    });
    const found = tokenPriceIn(withPrices(scenario, { prices: null, file: undefined, endpoints: {}, ...sources }));
    return found === null ? null : priceWord(found);
  };
  const models = (...prices: readonly (ModelPrice | undefined)[]): Record<string, PlannedEndpoint> =>
    Object.fromEntries(
      prices.map((own, at) => [
        `model ${at}`,
        { endpoint: { provider: 'openai', model: 'm', ...(own !== undefined && { price: own }) }, isTrusted: true },
      ]),
    );
  const [CHEAP, DEAR] = [
    { input: 1, output: 2, cached: 0.5 },
    { input: 3, output: 6 },
  ];

  test.each<[string, Partial<PriceSources>, string | null]>([
    ['a model has of its own', { prices: DEAR, endpoints: models(CHEAP) }, 'input=1,output=2'],
    ['all models have', { prices: DEAR, endpoints: models(CHEAP, { input: 1, output: 2 }) }, 'input=1,output=2'],
    ['was given, where models cost different sums', { prices: 5, endpoints: models(CHEAP, DEAR) }, 'input=5,output=5'],
    ['was given, for a model without one', { prices: DEAR, endpoints: models(undefined) }, 'input=3,output=6'],
    ['the file gives, for a model without one', { file: DEAR, endpoints: models(undefined) }, 'input=3,output=6'],
    ['nobody knows, where one of the models has none', { endpoints: models(CHEAP, undefined) }, null],
    ['nobody knows, where models cost different sums', { endpoints: models(CHEAP, DEAR) }, null],
  ])('is what %s', async (_, sources, word) => {
    expect(await price(sources)).toBe(word);
  });

  test('is nothing where no rule is about costs', () => {
    const scenario = { expected: {} } as Scenario;
    expect(withPrices(scenario, { prices: 3, file: undefined, endpoints: {} })).toBe(scenario);
  });

  test('reads back from the command line as it was', () => {
    const thousandths = fc.integer({ min: 0, max: 10 ** 9 }).map((count) => count / 1000);
    fc.assert(
      fc.property(thousandths, thousandths, (inputNanoUsd, outputNanoUsd) => {
        const { input, output } = parsePrices(priceWord({ inputNanoUsd, outputNanoUsd }));
        expect([Math.round(input * 1e6) / 1e3, Math.round(output * 1e6) / 1e3]).toEqual([inputNanoUsd, outputNanoUsd]);
      }),
    );
  });
});
