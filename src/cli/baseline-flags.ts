import { type Command, Option } from 'commander';
import type { BaselineOptions, ForecastOptions } from '../index.ts';
import { addPriceFlags, givenPrices, type PriceFlags, pricesOf } from './price-flags.ts';
import { parseMeasure, parseRate, parseWhole } from './parse-number.ts';
import { requireWritable } from './reports.ts';

/** Where runs are kept when a folder is not named. */
export const DEFAULT_HISTORY = '.passk/history';

/** Flags that compare a run, save it, or say what it costs to go on. */
export interface BaselineFlags extends PriceFlags {
  /** False: whatever the settings say, there is none. */
  readonly baseline?: string | false;
  readonly saveBaseline?: string | false;
  readonly history?: string | false;
  readonly drift?: NonNullable<BaselineOptions['drift']>;
  readonly tokenTolerance?: number;
  readonly driftMargin?: number;
  readonly driftComparisons?: number;
  readonly forecastRunsPerDay?: readonly number[];
  /** Real models are asked: prices are theirs too. */
  readonly live?: boolean;
}

/** Adds `--baseline`, `--save-baseline`, `--forecast-runs-per-day` and what goes with them. */
export function addBaselineFlags(command: Command): Command {
  const number = (flags: string, description: string): Option => new Option(flags, description).argParser(parseMeasure);
  return addPriceFlags(
    command
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
        new Option('--drift-margin <share>', "fall of the suite's mean pass rate that is tolerated").argParser(
          parseRate,
        ),
      )
      .addOption(
        new Option(
          '--drift-comparisons <n>',
          'how many runs will be compared with this baseline (default: 1)',
        ).argParser((text) => parseWhole(text, 1)),
      )
      .addOption(
        new Option('--forecast-runs-per-day <n,…>', 'say what so many successful runs a day cost').argParser((text) =>
          text.split(',').map(parseMeasure),
        ),
      ),
  );
}

/**
 * The library options that these flags stand for. Rejects before anything runs when a file cannot be read or written, or
 * when a flag with prices is for nothing: `priced` tells whether something besides forecasts and models has a use for it.
 */
export async function baselineOptions(flags: BaselineFlags, priced: () => Promise<boolean>): Promise<BaselineOptions> {
  const { baseline, saveBaseline, history, drift, tokenTolerance, driftMargin, driftComparisons } = flags;
  const forecast = await forecastOptions(flags, priced);
  if (isNamed(saveBaseline)) await requireWritable(saveBaseline, 'baseline');
  return {
    ...(isNamed(baseline) && { baseline }),
    ...(isNamed(saveBaseline) && { saveBaseline }),
    ...(isNamed(history) && { history }),
    ...(drift !== undefined && { drift }),
    ...(tokenTolerance !== undefined && { tokenTolerance }),
    ...(driftMargin !== undefined && { driftMargin }),
    ...(driftComparisons !== undefined && { driftComparisons }),
    ...(forecast !== null && { forecast }),
  };
}

function isNamed(path: string | false | undefined): path is string {
  return path !== undefined && path !== false;
}

async function forecastOptions(flags: BaselineFlags, priced: () => Promise<boolean>): Promise<ForecastOptions | null> {
  const { forecastRunsPerDay: runsPerDay } = flags;
  const given = givenPrices(flags);
  if (runsPerDay === undefined && given.length > 0 && flags.live !== true && !(await priced())) {
    const { PasskError } = await import('../index.ts');
    throw new PasskError('USAGE', `${given.join(' and ')} is for a forecast, but no rate is given.`, {
      hint: 'Add --forecast-runs-per-day 1000; with --live, the prices are those of the models, and max_cost of contracts takes them too.',
    });
  }
  if (runsPerDay === undefined) return null;
  const prices = await pricesOf(flags);
  return { runsPerDay, ...(prices !== null && { prices }) };
}
