import type { LoadSuiteOptions, PriceTable, RunSuiteOptions } from '../index.ts';
import type { Given } from '../settings/setting-types.ts';

/** The library option that these flags stand for. Rejects with `USAGE` for two of them, `INPUT` for a bad file. */
export async function priceOptions(flags: Given): Promise<Pick<RunSuiteOptions, 'prices'>> {
  const prices = await pricesOf(flags);
  return prices === null ? {} : { prices };
}

/** Whether an invariant in these files bounds what its subject costs; what does not load may have one. */
export async function judgesCosts(load: LoadSuiteOptions): Promise<boolean> {
  const { loadSuite } = await import('../index.ts');
  const { scenarios, issues } = await loadSuite(load);
  const isCost = scenarios.some(({ expected }) =>
    expected.invariants?.list.some(({ rule }) => rule.type === 'max_cost'),
  );
  return isCost || issues.some(({ severity }) => severity === 'error');
}

/** The flags that are given, by name. */
export function givenPrices({ pricePerMtok, price, prices }: Given): readonly string[] {
  return [
    ...(pricePerMtok === undefined ? [] : ['--price-per-mtok']),
    ...(price === undefined ? [] : ['--price']),
    ...(typeof prices === 'string' ? ['--prices'] : []),
  ];
}

/** What a million tokens cost, however the flags say it; null: they do not. */
export async function pricesOf(flags: Given): Promise<number | PriceTable | null> {
  const { pricePerMtok, price, prices: file } = flags;
  const given = givenPrices(flags);
  if (given.length === 0) return typeof file === 'object' ? file : null;
  const { loadPrices, parsePrices, PasskError } = await import('../index.ts');
  if (given.length > 1) {
    throw new PasskError('USAGE', `${given.join(' and ')} exclude each other.`, { hint: `Keep only ${given[0]}.` });
  }
  if (price !== undefined) return parsePrices(price);
  if (typeof file === 'string') return loadPrices(file);
  return pricePerMtok ?? null;
}
