import { type Command, Option } from 'commander';
import type { LoadSuiteOptions, PriceTable, RunSuiteOptions } from '../index.ts';
import { parseMeasure } from './parse-number.ts';

/** Flags that say what a million tokens cost; they exclude each other. */
export interface PriceFlags {
  readonly pricePerMtok?: number;
  readonly price?: string;
  /** The file of the flag, or the table of the settings, which gives way to any flag. */
  readonly prices?: string | PriceTable;
}

/** Adds `--price-per-mtok`, `--price` and `--prices`. */
export function addPriceFlags(command: Command): Command {
  return command
    .addOption(new Option('--price-per-mtok <usd>', 'price of a million tokens').argParser(parseMeasure))
    .option('--price <names>', 'prices of a million tokens: input=3,output=15,cached=0.3,batch=1.5')
    .option('--prices <file>', 'a TOML file with such prices in [prices]');
}

/** The library option that these flags stand for. Rejects with `USAGE` for two of them, `INPUT` for a bad file. */
export async function priceOptions(flags: PriceFlags): Promise<Pick<RunSuiteOptions, 'prices'>> {
  const prices = await pricesOf(flags);
  return prices === null ? {} : { prices };
}

/** Whether a contract among these files bounds what its subject costs; what does not load may. */
export async function judgesCosts(load: LoadSuiteOptions): Promise<boolean> {
  const { loadSuite } = await import('../index.ts');
  const { contracts, issues } = await loadSuite(load);
  const isCost = contracts.some(({ invariants }) => invariants.some(({ rule }) => rule.type === 'max_cost'));
  return isCost || issues.some(({ severity }) => severity === 'error');
}

/** The flags that are given, by name. */
export function givenPrices({ pricePerMtok, price, prices }: PriceFlags): readonly string[] {
  return [
    ...(pricePerMtok === undefined ? [] : ['--price-per-mtok']),
    ...(price === undefined ? [] : ['--price']),
    ...(typeof prices === 'string' ? ['--prices'] : []),
  ];
}

/** What a million tokens cost, however the flags say it; null: they do not. */
export async function pricesOf(flags: PriceFlags): Promise<number | PriceTable | null> {
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
