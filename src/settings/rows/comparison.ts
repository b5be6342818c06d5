import { pricesSchema } from '../../baseline/price-table.schema.ts';
import { arePrices, PRICES_SHAPE } from '../../baseline/are-prices.ts';
import { isRecord } from '../../values/is-json.ts';
import { Type } from '../../source/schema-type.ts';
import type { Baseline } from '../../types/baseline.ts';
import { DRIFT_RULES } from '../../types/reports/drift.ts';
import type { ForecastOptions, PriceTable } from '../../types/reports/forecast.ts';
import { HISTORY, REPORTING, RUNNING } from '../commands.ts';
import { data, type Kind, measure, ofShape, oneOf, shareBelowOne, text, unchecked, wholeNumber } from '../kinds.ts';
import type { Table } from '../setting.ts';

/** Where runs are kept when a folder is not named. */
export const DEFAULT_HISTORY = '.passk/history';

const JUDGING = [...REPORTING, 'merge'] as const;
const PRICED = [...RUNNING, 'plan', 'trace', 'merge'] as const;
const KEPT_RUNS = `the folder that keeps the runs (default: ${DEFAULT_HISTORY})`;

const file = text('the name of a file');
const baseline = {
  ...ofShape<string | Baseline, string>(
    'the name of a file, or a baseline',
    (value) => isRecord(value) || file.problem(value) === null,
    file.schema,
  ),
  read: file.read,
};
const prices = ofShape<number | PriceTable, PriceTable>(PRICES_SHAPE, arePrices, data(pricesSchema));
const rates: Kind<readonly number[]> = {
  schema: data(Type.Array(Type.Number({ minimum: 0 }), { minItems: 1 })),
  read: (word) => word.split(',').map((part) => measure.read?.(part) ?? Number.NaN),
  problem: () => null,
};

/** What a run is compared with, what later runs are compared with, and what it costs to go on. */
export const COMPARISON = {
  /** A file of `saveBaseline`, or a JSON report of passk or agentd-conformance, as a path from `cwd`; or a baseline. */
  baseline: {
    kind: baseline,
    file: true,
    option: 'run',
    paths: 'read',
    flag: {
      on: JUDGING,
      value: 'file',
      help: 'compare with this run; regressions fail the gate',
      no: { on: JUDGING, help: 'compare with none, whatever the settings say' },
      ofWholeRun: true,
    },
  },
  /** Where to write this run as a baseline, also when its gate fails; never when it was stopped early. */
  saveBaseline: {
    kind: file,
    file: 'Where to write every run for later ones to be compared with.',
    option: 'run',
    paths: 'written',
    flag: {
      on: JUDGING,
      value: 'file',
      help: 'write this run for later ones to be compared with',
      no: { on: JUDGING, help: 'write none, whatever the settings say' },
      ofWholeRun: true,
    },
  },
  /** A folder that keeps runs, for `readHistory`; this one is added unless it was stopped early. */
  history: {
    kind: text('the name of a folder'),
    file: 'A folder that keeps every run.',
    option: 'run',
    paths: 'written',
    flag: {
      on: [...JUDGING, ...HISTORY],
      value: 'dir',
      help: `keep this run there for passk history, such as ${DEFAULT_HISTORY}`,
      helpOn: { history: KEPT_RUNS, 'history show': KEPT_RUNS, 'history prune': KEPT_RUNS },
      no: { on: JUDGING, help: 'keep nothing, whatever the settings say' },
      ofWholeRun: true,
    },
  },
  /** When a lower pass rate is a regression; default `evidence`. */
  drift: {
    kind: oneOf(DRIFT_RULES),
    file: true,
    option: 'run',
    default: 'evidence',
    flag: {
      on: JUDGING,
      value: 'rule',
      help: 'which drops are regressions: those beyond chance, or any',
      needs: 'baseline',
      ofWholeRun: true,
    },
  },
  /** Relative rise of tokens per trial that is tolerated; default 0.1. */
  tokenTolerance: {
    kind: measure,
    file: true,
    option: 'run',
    default: 0.1,
    flag: {
      on: JUDGING,
      value: 'share',
      help: 'rise of tokens per trial that is tolerated',
      needs: 'baseline',
      ofWholeRun: true,
    },
  },
  /**
   * Fall of the suite's mean pass rate that is tolerated: a run fails when it surely fell by more, and is undecided when
   * its trials do not tell. Default: any fall that is more than chance fails.
   */
  driftMargin: {
    kind: shareBelowOne,
    file: true,
    option: 'run',
    flag: {
      on: JUDGING,
      value: 'share',
      help: "fall of the suite's mean pass rate that is tolerated",
      needs: 'baseline',
      ofWholeRun: true,
    },
  },
  /** How many runs will be compared with this baseline, this one included: they share one chance of a false alarm; default 1. */
  driftComparisons: {
    kind: wholeNumber(1),
    file: true,
    option: 'run',
    default: 1,
    flag: {
      on: JUDGING,
      value: 'n',
      help: 'how many runs will be compared with this baseline',
      needs: 'baseline',
      ofWholeRun: true,
    },
  },
  /** What to forecast: successful runs a day, and prices. */
  forecast: { kind: unchecked<ForecastOptions>(), option: 'run' },
  /** Say what so many successful runs a day cost. */
  forecastRunsPerDay: {
    kind: rates,
    file: true,
    flag: { on: JUDGING, value: 'n,…', help: 'say what so many successful runs a day cost', ofWholeRun: true },
  },
  pricePerMtok: { kind: measure, flag: { on: PRICED, value: 'usd', help: 'price of a million tokens' } },
  price: {
    kind: text('prices'),
    flag: {
      on: PRICED,
      value: 'names',
      help: 'prices of a million tokens: input=3,output=15,cached=0.3,batch=1.5',
    },
  },
  /**
   * USD per million tokens, for forecasts, real models without a price and `max_cost` of contracts; one number: every
   * token. Flags with prices replace those of a configuration file.
   */
  prices: {
    kind: prices,
    file: 'USD per million tokens: input, output, and if you like cached and batch.',
    option: 'run',
    flag: { on: PRICED, kind: file, value: 'file', help: 'a TOML file with such prices in [prices]' },
  },
} satisfies Table;
