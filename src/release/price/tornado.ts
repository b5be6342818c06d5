import { clopperPearsonInterval } from '../../stats/clopper-pearson.ts';
import {
  PRICE_INPUTS,
  type PriceInput,
  type PriceQuestion,
  type TornadoBar,
} from '../../types/release/price-report.ts';
import type { JsonObject } from '../../types/json.ts';
import { priceCases } from './costs.ts';
import { type RateChange, Rates } from './rates.ts';
import type { SpentCase } from './spending.ts';

/** The range of an input. */
export type InputRanges = Readonly<Partial<Record<PriceInput, readonly [number, number]>>>;

export interface TornadoOptions {
  /** Of a rate card. */
  readonly rates: JsonObject;
  readonly asked: PriceQuestion;
  /** How far inputs go without a range of their own: prices by this share of them, shares and retries by so much. */
  readonly swing: number;
  readonly ranges: InputRanges;
}

/** Everything over successes at both ends of each input, the others as asked; the widest first. [] where nothing succeeded. */
export function tornado(cases: readonly SpentCase[], options: TornadoOptions): readonly TornadoBar[] {
  const costAt = (input: PriceInput, value: number): number | null => costWith(cases, options, input, value);
  const { ranges } = options;
  const now = measuredInputs(cases, options);
  if (now.success_rate === 0) return [];
  const bars = PRICE_INPUTS.map((input): TornadoBar => {
    const [low, high] = ranges[input] ?? rangeOf(input, now[input], cases, options);
    const ends = [low, high].map((at) => ({ at, perSuccessUsd: costAt(input, at) }));
    const [lowEnd = { at: low, perSuccessUsd: null }, highEnd = { at: high, perSuccessUsd: null }] = ends;
    const costs = ends.flatMap(({ perSuccessUsd }) => perSuccessUsd ?? []);
    const swingUsd = costs.length < 2 ? null : Math.max(...costs) - Math.min(...costs);
    return { input, at: now[input], low: lowEnd, high: highEnd, swingUsd };
  });
  const width = ({ swingUsd }: TornadoBar): number => swingUsd ?? Number.POSITIVE_INFINITY;
  // Equal ones stay in the order of inputs.
  return bars.sort((a, b) => (width(a) === width(b) ? 0 : width(b) - width(a)));
}

export const NO_CHANGE = { inputPrice: 1, outputPrice: 1, cachedPrice: 1 } as const;

function costWith(
  cases: readonly SpentCase[],
  { rates, asked }: TornadoOptions,
  input: PriceInput,
  value: number,
): number | null {
  const change: RateChange = { ...NO_CHANGE, ...asked, ...CHANGES[input](value) };
  const retries = input === 'retries' ? value : asked.retries;
  const { costs } = priceCases(cases, new Rates(rates, change), { ...asked, retries });
  const { totalUsd, successes, runs } = costs;
  if (input !== 'success_rate') return costs.perSuccessExactUsd;
  // Successes of several attempts grow as those of one do.
  const expected = (successes * value) / (passRate(cases) || 1);
  return runs === 0 || expected === 0 ? null : totalUsd / expected;
}

const CHANGES: Readonly<Record<PriceInput, (value: number) => Partial<RateChange>>> = {
  input_price: (inputPrice) => ({ inputPrice }),
  output_price: (outputPrice) => ({ outputPrice }),
  cached_price: (cachedPrice) => ({ cachedPrice }),
  cache_share: (cacheShare) => ({ cacheShare }),
  batch_share: (batchShare) => ({ batchShare }),
  reserved_share: (reservedShare) => ({ reservedShare }),
  retries: () => ({}),
  success_rate: () => ({}),
};

/** Where each input is, as asked or as measured. */
function measuredInputs(
  cases: readonly SpentCase[],
  { rates, asked }: TornadoOptions,
): Readonly<Record<PriceInput, number>> {
  const paid = new Rates(rates, { ...NO_CHANGE, ...asked });
  let [tokens, reserved, atHand, batched, prompts, cached] = [0, 0, 0, 0, 0, 0];
  for (const line of cases.flatMap(({ lines }) => lines)) {
    if (line.usage === null || line.kind !== 'model') continue;
    const { promptTokens, completionTokens, cachedTokens } = line.usage;
    const lineTokens = promptTokens + completionTokens;
    const payment = paid.paymentOf(line);
    tokens += lineTokens;
    reserved += lineTokens * payment.reserved;
    atHand += lineTokens * (1 - payment.reserved);
    batched += lineTokens * (1 - payment.reserved) * payment.batch;
    prompts += promptTokens;
    cached += cachedTokens;
  }
  const share = (part: number, of: number): number => (of === 0 ? 0 : part / of);
  const { retryMean } = priceCases(cases, paid, { retries: null, attempts: 1 });
  return {
    input_price: 1,
    output_price: 1,
    cached_price: 1,
    cache_share: asked.cacheShare ?? share(cached, prompts),
    batch_share: asked.batchShare ?? share(batched, atHand),
    reserved_share: asked.reservedShare ?? share(reserved, tokens),
    retries: asked.retries ?? retryMean,
    success_rate: passRate(cases),
  };
}

function rangeOf(
  input: PriceInput,
  at: number,
  cases: readonly SpentCase[],
  { swing }: TornadoOptions,
): readonly [number, number] {
  if (input === 'success_rate') {
    const { trials, passed } = pooled(cases);
    // It holds for trials of unequal rates, too (Hoeffding 1956).
    return clopperPearsonInterval(trials, passed) ?? [at, at];
  }
  const low = Math.max(0, at - swing);
  return [low, input.endsWith('_share') ? Math.min(1, at + swing) : at + swing];
}

function passRate(cases: readonly SpentCase[]): number {
  const { trials, passed } = pooled(cases);
  return trials === 0 ? 0 : passed / trials;
}

function pooled(cases: readonly SpentCase[]) {
  return {
    trials: cases.reduce((sum, one) => sum + one.trials, 0),
    passed: cases.reduce((sum, one) => sum + one.passed, 0),
  };
}
