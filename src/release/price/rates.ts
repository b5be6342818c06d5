import { isTable } from '../../source/json-schema.ts';
import type { JsonObject } from '../../types/json.ts';
import type { LedgerLine } from '../../types/record.ts';
import type { PriceQuestion } from '../../types/release/price-report.ts';
import { priceLine } from '../price-line.ts';
import { type RateCard, rateCardOf } from '../rate-card.ts';

/** What is changed about prices and how they are paid; null, and a factor of 1: nothing. */
export interface RateChange extends Pick<PriceQuestion, 'cacheShare' | 'batchShare' | 'reservedShare' | 'utilisation'> {
  readonly inputPrice: number;
  readonly outputPrice: number;
  /** Of tokens that are read from the cache, and written into it. */
  readonly cachedPrice: number;
}

/** How a model is paid: by reservation, in a batch, and at once for what is left. */
export interface Payment {
  readonly reserved: number;
  /** Of what no reservation serves. */
  readonly batch: number;
}

/**
 * The prices of a card, changed. A line is priced at once, in a batch and by reservation, each as `priceLine` has it, and
 * these are mixed by their shares; without a change it is the price of the card.
 */
export class Rates {
  private readonly data: JsonObject;
  private readonly change: RateChange;
  private readonly atOnce: RateCard;
  private readonly batched: RateCard;
  private readonly reserved: RateCard;

  constructor(data: JsonObject, change: RateChange) {
    this.data = data;
    this.change = change;
    this.atOnce = rateCardOf(withModels(data, (rate) => ({ ...onDemand(scaled(rate, change)), batch: false })));
    this.batched = rateCardOf(withModels(data, (rate) => ({ ...onDemand(scaled(rate, change)), batch: true })));
    this.reserved = rateCardOf(withModels(data, (rate) => used(scaled(rate, change), change.utilisation)));
  }

  /** Billionths of a dollar; null: nobody prices it. */
  priceOf(line: LedgerLine): number | null {
    const spent = this.withCache(line);
    const { reserved, batch } = this.paymentOf(line);
    const parts = [
      [this.reserved, reserved],
      [this.batched, (1 - reserved) * batch],
      [this.atOnce, (1 - reserved) * (1 - batch)],
    ] as const;
    let sum = 0;
    for (const [card, share] of parts) {
      if (share === 0) continue;
      const price = priceLine(spent, card);
      if (price === null) return null;
      sum += share * Number(price);
    }
    return sum;
  }

  /** How the model of a line is paid. */
  paymentOf({ kind, name }: LedgerLine): Payment {
    if (kind === 'tool' || kind === 'connector') return { reserved: 0, batch: 0 };
    const rate = rateIn(this.data, name);
    if (rate === null) return { reserved: 0, batch: 0 };
    const { reservedShare, batchShare } = this.change;
    return {
      reserved: isTable(rate.reserved) ? (reservedShare ?? 1) : 0,
      batch: batchShare ?? (rate.batch === true ? 1 : 0),
    };
  }

  /** With another share of its input from the cache: what is written into it stays, as far as there is room. */
  private withCache(line: LedgerLine): LedgerLine {
    const { cacheShare } = this.change;
    if (cacheShare === null || line.usage === null) return line;
    const cachedTokens = Math.round(line.usage.promptTokens * cacheShare);
    const cacheWriteTokens = Math.min(line.usage.cacheWriteTokens, line.usage.promptTokens - cachedTokens);
    return { ...line, usage: { ...line.usage, cachedTokens, cacheWriteTokens } };
  }
}

function rateIn({ models }: JsonObject, name: string): JsonObject | null {
  if (!isTable(models)) return null;
  const rate = Object.hasOwn(models, name) ? models[name] : models['*'];
  return isTable(rate) ? rate : null;
}

function withModels(data: JsonObject, change: (rate: JsonObject) => JsonObject): JsonObject {
  if (!isTable(data.models)) return data;
  const entries = Object.entries(data.models).map(([name, rate]) => [name, isTable(rate) ? change(rate) : rate]);
  return { ...data, models: Object.fromEntries(entries) };
}

/** Prices that are left out follow others, so that they are written down before these change. */
function scaled(rate: JsonObject, { inputPrice, outputPrice, cachedPrice }: RateChange): JsonObject {
  const price = (key: string, otherwise: unknown = 0): number => Number(rate[key] ?? otherwise);
  return {
    ...rate,
    input: price('input') * inputPrice,
    output: price('output') * outputPrice,
    reasoning: price('reasoning', rate.output) * outputPrice,
    cache_read: price('cache_read', rate.input) * cachedPrice,
    cache_write: price('cache_write', rate.input) * cachedPrice,
  };
}

function onDemand({ reserved: _, ...rate }: JsonObject): JsonObject {
  return rate;
}

function used(rate: JsonObject, utilisation: number | null): JsonObject {
  if (utilisation === null || !isTable(rate.reserved)) return rate;
  return { ...rate, reserved: { ...rate.reserved, utilisation } };
}
