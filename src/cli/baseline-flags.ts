import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BaselineOptions, ForecastOptions } from '../index.ts';
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
  readonly prices?: string;
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
export async function baselineOptions(flags: BaselineFlags): Promise<BaselineOptions> {
  const { baseline, saveBaseline, history, drift, tokenTolerance } = flags;
  const forecast = await forecastOptions(flags);
  if (isNamed(saveBaseline)) await requireWritable(saveBaseline, 'baseline');
  return {
    ...(isNamed(baseline) && { baseline }),
    ...(isNamed(saveBaseline) && { saveBaseline }),
    ...(isNamed(history) && { history }),
    ...(drift !== undefined && { drift }),
    ...(tokenTolerance !== undefined && { tokenTolerance }),
    ...(forecast !== null && { forecast }),
  };
}

function isNamed(path: string | false | undefined): path is string {
  return path !== undefined && path !== false;
}

async function forecastOptions(flags: BaselineFlags): Promise<ForecastOptions | null> {
  const { forecastRunsPerDay: runsPerDay, pricePerMtok, price, prices: file } = flags;
  const given = [
    ...(pricePerMtok === undefined ? [] : ['--price-per-mtok']),
    ...(price === undefined ? [] : ['--price']),
    ...(file === undefined ? [] : ['--prices']),
  ];
  if (runsPerDay === undefined && given.length === 0) return null;
  const { loadPrices, parsePrices, PasskError } = await import('../index.ts');
  if (runsPerDay === undefined) {
    throw new PasskError('USAGE', `${given.join(' and ')} is for a forecast, but no rate is given.`, {
      hint: 'Add --forecast-runs-per-day 1000.',
    });
  }
  if (given.length > 1) {
    throw new PasskError('USAGE', `${given.join(' and ')} exclude each other.`, { hint: `Keep only ${given[0]}.` });
  }
  if (price !== undefined) return { runsPerDay, prices: parsePrices(price) };
  if (file !== undefined) return { runsPerDay, prices: await loadPrices(file) };
  return { runsPerDay, ...(pricePerMtok !== undefined && { prices: pricePerMtok }) };
}

/** Reads a number from 0, e.g. `--price-per-mtok 2.5`. */
function parseMeasure(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError('Expected a number from 0.');
}
