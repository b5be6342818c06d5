import type { TokenUsage } from '../types/message.ts';
import type { LedgerLine } from '../types/record.ts';
import type { ModelRate, RateCard } from './rate-card.ts';

/**
 * What a line costs, in billionths of a dollar, rounded half to even once; null: nobody prices it. The card goes before the
 * price that a recording brings along. Source: release gate, F-10.
 */
export function priceLine(line: LedgerLine, card: RateCard | null): bigint | null {
  return cardPrice(line, card) ?? (line.nanoUsd === null ? null : BigInt(Math.round(line.nanoUsd)));
}

function cardPrice({ kind, name, units, usage }: LedgerLine, card: RateCard | null): bigint | null {
  if (card === null) return null;
  if (kind === 'tool' || kind === 'connector') {
    const rate = rateOf(kind === 'tool' ? card.tools : card.connectors, name);
    return rate === null ? null : divide(rate * scaled(units), SCALE);
  }
  const rate = rateOf(card.models, name);
  return rate === null || usage === null ? null : modelPrice(usage, units, rate);
}

/** Price of a million tokens × tokens × part of a million: divided once, at the end. */
function modelPrice(usage: TokenUsage, units: number, rate: ModelRate): bigint {
  const [cached, written] = [BigInt(usage.cachedTokens), BigInt(usage.cacheWriteTokens)];
  const prompt = BigInt(usage.promptTokens) - cached - written;
  const uncached = prompt > 0n ? prompt : 0n;
  const reasoning = BigInt(usage.reasoningTokens);
  const shown = BigInt(usage.completionTokens) - reasoning;
  const tokens = uncached * rate.input + (shown > 0n ? shown : 0n) * rate.output + reasoning * rate.reasoning;
  const cache = cached * rate.cacheRead + written * rate.cacheWrite;
  const requests = (rate.request * scaled(units) * (MILLION * MILLION)) / SCALE;
  return divide(tokens * rate.tokensPart + cache * rate.cachePart + requests, MILLION * MILLION);
}

const MILLION = 1_000_000n;
/** Units may be fractions, such as gigabytes: parts of a billion are counted. */
const SCALE = 1_000_000_000n;

function scaled(units: number): bigint {
  return BigInt(Math.round(units * 1e9));
}

function rateOf<T>(rates: ReadonlyMap<string, T>, name: string): T | null {
  return rates.get(name) ?? rates.get('*') ?? null;
}

/** The quotient of two numbers from 0, rounded half to even. */
function divide(amount: bigint, by: bigint): bigint {
  const whole = amount / by;
  const twice = (amount % by) * 2n;
  if (twice > by || (twice === by && whole % 2n === 1n)) return whole + 1n;
  return whole;
}
