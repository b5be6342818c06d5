import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BaselineOptions, ForecastOptions, PriceTable, RunSuiteOptions } from '../index.ts';
import { requireWritable } from './reports.ts';

/** Where runs are kept when a folder is not named. */
export const DEFAULT_HISTORY = '.passk/history';

/** Flags that compare a run, save it, or say what it costs to go on. */
export interface BaselineFlags {
  /** False: whatever the settings say, there is none. */
  readonly baseline?: string | false;
  readonly saveBaseline?: string | false;
  readonly history?: string | false;
  readonly drift?: NonNullable<BaselineOptions['drift']>;
  readonly tokenTolerance?: number;
  readonly forecastRunsPerDay?: readonly number[];
  readonly pricePerMtok?: number;
  readonly price?: string;
  /** The file of the flag, or the table of the settings, which gives way to any flag. */
  readonly prices?: string | PriceTable;
  /** Real models are asked: prices are theirs too. */
  readonly live?: boolean;
}

/** Adds `--baseline`, `--save-baseline`, `--forecast-runs-per-day` and what goes with them. */
export function addBaselineFlags(command: Command): Command {
  const number = (flags: string, description: string): Option => new Option(flags, description).argParser(parseMeasure);
  return command
    .option('--baseline <file>', 'compare with this run; regressions fail the gate')
    .option('--no-baseline', 'compare with none, whatever the settings say')
    .option('--save-baseline <file>', 'write this run for later ones to be compared with')
    .option('--no-save-baseline', 'write none, whatever the settings say')
    .option('--history <dir>', `keep this run there for passk history, such as ${DEFAULT_HISTORY}`)
    .option('--no-history', 'keep nothing, whatever the settings say')
    .addOption(
      new Option('--drift <rule>', 'which drops are regressions: those beyond chance (default), or any').choices([
        'evidence',
        'strict',
      ]),
    )
    .addOption(number('--token-tolerance <share>', 'rise of tokens per trial that is tolerated (default: 0.1)'))
    .addOption(
      new Option('--forecast-runs-per-day <n,…>', 'say what so many successful runs a day cost').argParser((text) =>
        text.split(',').map(parseMeasure),
      ),
    )
    .addOption(number('--price-per-mtok <usd>', 'price of a million tokens, for the forecast'))
    .option('--price <names>', 'prices of a million tokens: input=3,output=15,cached=0.3,batch=1.5')
    .option('--prices <file>', 'a TOML file with such prices in [prices]');
}

/** The library options that these flags stand for. Rejects before anything runs when a file cannot be read or written. */
export async function baselineOptions(
  flags: BaselineFlags,
): Promise<BaselineOptions & Pick<RunSuiteOptions, 'prices'>> {
  const { baseline, saveBaseline, history, drift, tokenTolerance } = flags;
  const forecast = await forecastOptions(flags);
  const prices = flags.live === true ? await pricesOf(flags) : null;
  if (isNamed(saveBaseline)) await requireWritable(saveBaseline, 'baseline');
  return {
    ...(isNamed(baseline) && { baseline }),
    ...(isNamed(saveBaseline) && { saveBaseline }),
    ...(isNamed(history) && { history }),
    ...(drift !== undefined && { drift }),
    ...(tokenTolerance !== undefined && { tokenTolerance }),
    ...(forecast !== null && { forecast }),
    ...(prices !== null && { prices }),
  };
}

function isNamed(path: string | false | undefined): path is string {
  return path !== undefined && path !== false;
}

async function forecastOptions(flags: BaselineFlags): Promise<ForecastOptions | null> {
  const { forecastRunsPerDay: runsPerDay } = flags;
  const given = givenPrices(flags);
  if (runsPerDay === undefined && given.length > 0 && flags.live !== true) {
    const { PasskError } = await import('../index.ts');
    throw new PasskError('USAGE', `${given.join(' and ')} is for a forecast, but no rate is given.`, {
      hint: 'Add --forecast-runs-per-day 1000; with --live, the prices are those of the models.',
    });
  }
  if (runsPerDay === undefined) return null;
  const prices = await pricesOf(flags);
  return { runsPerDay, ...(prices !== null && { prices }) };
}

function givenPrices({ pricePerMtok, price, prices }: BaselineFlags): readonly string[] {
  return [
    ...(pricePerMtok === undefined ? [] : ['--price-per-mtok']),
    ...(price === undefined ? [] : ['--price']),
    ...(typeof prices === 'string' ? ['--prices'] : []),
  ];
}

/** What a million tokens cost, however the flags say it; null: they do not. */
async function pricesOf(flags: BaselineFlags): Promise<number | PriceTable | null> {
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

/** Reads a number from 0, e.g. `--price-per-mtok 2.5`. */
function parseMeasure(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError('Expected a number from 0.');
}
