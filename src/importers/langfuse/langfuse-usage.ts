import type { ImportedUsage } from '../../plugin/importer-type.ts';
import { isRecord } from '../../values/is-json.ts';
import { countAt, textAt } from '../../values/json-fields.ts';
import { providerUsage } from '../messages/token-usage.ts';

/**
 * Tokens as Langfuse keeps them: `input` and `output` are what no other key counts, so that those of the cache and of
 * reasoning stand beside them, and `total` is the sum of all. Where a total is only input + output, whoever sent it counted
 * the others as parts. Usage as providers have it keeps their conventions. Null: nothing is told, or no tokens.
 */
export function langfuseUsage(details: unknown): ImportedUsage | null {
  if (!isRecord(details)) return null;
  const unit = textAt(details, 'unit');
  if (unit !== null && unit !== 'TOKENS') return null;
  const keys = Object.keys(details).filter((key) => !/cost|price/i.test(key) && countAt(details, key) !== null);
  if (!keys.includes('input') && !keys.includes('output')) return providerUsage(details);
  const sum = (all: readonly string[]): number | null =>
    all.length === 0 ? null : all.reduce((total, key) => total + (countAt(details, key) ?? 0), 0);
  const ofInput = keys.filter((key) => /input|prompt|cache/.test(key));
  const ofOutput = keys.filter((key) => !ofInput.includes(key) && /output|completion|reasoning/.test(key));
  const input = countAt(details, 'input');
  const output = countAt(details, 'output');
  const total = countAt(details, 'total');
  const isInclusive = total !== null && total === (input ?? 0) + (output ?? 0);
  const cached = sum(ofInput.filter((key) => /cache/.test(key) && !isWrite(key)));
  const written = sum(ofInput.filter((key) => /cache/.test(key) && isWrite(key)));
  const thought = sum(ofOutput.filter((key) => /reasoning/.test(key)));
  const prompt = isInclusive ? input : sum(ofInput);
  const completion = isInclusive ? output : sum(ofOutput);
  const usage: Partial<Record<keyof ImportedUsage, number>> = {};
  if (prompt !== null) usage.promptTokens = prompt;
  if (completion !== null) usage.completionTokens = completion;
  if (cached !== null) usage.cachedTokens = cached;
  if (written !== null) usage.cacheWriteTokens = written;
  if (thought !== null) usage.reasoningTokens = thought;
  return usage;
}

function isWrite(key: string): boolean {
  return /creation|write/.test(key);
}
