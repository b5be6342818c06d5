import type { LoadSuiteOptions, RunSuiteOptions } from '../public/suites.ts';
import type { PriceTable } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';

/** The library option that these settings stand for. Rejects with `USAGE` for two flags, `INPUT` for a bad file. */
export async function priceOptions(settings: CommandSettings): Promise<Pick<RunSuiteOptions, 'prices'>> {
  const prices = await pricesOf(settings);
  return prices === null ? {} : { prices };
}

/** Whether an invariant in these files bounds what its subject costs. A file that does not load may have one. */
export async function judgesCosts(load: LoadSuiteOptions): Promise<boolean> {
  const { loadSuite } = await import('../public/suites.ts');
  const { scenarios, issues } = await loadSuite(load);
  const isCost = scenarios.some(({ expected }) =>
    expected.invariants?.list.some(({ rule }) => rule.type === 'max_cost'),
  );
  return isCost || issues.some(({ severity }) => severity === 'error');
}

/** The names of the flags that set prices. */
export function priceFlags({ pricePerMtok, price, prices }: CommandSettings): readonly string[] {
  return [
    ...(pricePerMtok === undefined ? [] : ['--price-per-mtok']),
    ...(price === undefined ? [] : ['--price']),
    ...(typeof prices === 'string' ? ['--prices'] : []),
  ];
}

/** What a million tokens cost; null: no setting says it. */
export async function pricesOf(settings: CommandSettings): Promise<number | PriceTable | null> {
  const { pricePerMtok, price, prices: file } = settings;
  const flags = priceFlags(settings);
  if (flags.length === 0) return typeof file === 'object' ? file : null;
  const { loadPrices, parsePrices, PasskError } = await import('../public/suites.ts');
  if (flags.length > 1) {
    throw new PasskError('USAGE', `${flags.join(' and ')} exclude each other.`, { hint: `Keep only ${flags[0]}.` });
  }
  if (price !== undefined) return parsePrices(price);
  if (typeof file === 'string') return loadPrices(file);
  return pricePerMtok ?? null;
}
