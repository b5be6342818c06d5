import type { ImportedUsage } from '../../plugin/importer-type.ts';
import { isRecord } from '../../values/is-json.ts';
import { countAt } from '../../values/json-fields.ts';

/** Token counts of a source; null: it does not have this count. */
export interface CountedTokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
  /** The total of all tokens. */
  readonly total: number | null;
}

/** Whether input tokens include cached ones: `inclusive` (OpenAI) or `exclusive` (Anthropic). */
export type InputConvention = 'inclusive' | 'exclusive';

/**
 * Reads token counts by the convention of their source. A total corrects a wrong convention (release gate, F-10): input +
 * output is inclusive, input + cache + output exclusive. Null: there are no counts.
 */
export function usageOfTokens(tokens: CountedTokens, convention: InputConvention): ImportedUsage | null {
  const { input, output, cacheRead, cacheWrite, reasoning } = tokens;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const isExclusive = input !== null && conventionOf(tokens, input, convention) === 'exclusive';
  const usage: Partial<Record<keyof ImportedUsage, number>> = {};
  if (input !== null) usage.promptTokens = isExclusive ? input + cached : input;
  if (output !== null) usage.completionTokens = output;
  if (cacheRead !== null) usage.cachedTokens = cacheRead;
  if (cacheWrite !== null) usage.cacheWriteTokens = cacheWrite;
  if (reasoning !== null) usage.reasoningTokens = reasoning;
  return Object.keys(usage).length === 0 ? null : usage;
}

function conventionOf(
  { output, cacheRead, cacheWrite, total }: CountedTokens,
  input: number,
  otherwise: InputConvention,
): InputConvention {
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  if (cached > input) return 'exclusive';
  if (total === null || output === null || cached === 0) return otherwise;
  if (total === input + output) return 'inclusive';
  return total === input + cached + output ? 'exclusive' : otherwise;
}

/**
 * Reads the usage object of a provider's API or client: OpenAI's chat completions and responses, Anthropic, Gemini, Bedrock,
 * and LangChain's `usage_metadata`. Null: it is none of these.
 */
export function providerUsage(usage: unknown): ImportedUsage | null {
  // Most candidates are absent, so this test comes first.
  if (!isRecord(usage)) return null;
  const count = (...keys: readonly string[]): number | null => countAt(usage, ...keys);
  const input = count('prompt_tokens') ?? count('promptTokens') ?? count('input_tokens') ?? count('inputTokens');
  const output =
    count('completion_tokens') ?? count('completionTokens') ?? count('output_tokens') ?? count('outputTokens');
  const total = count('total_tokens') ?? count('totalTokens');
  if (count('promptTokenCount') !== null) return geminiUsage(usage);
  const ofAnthropic = {
    cacheRead: count('cache_read_input_tokens') ?? count('cacheReadInputTokens'),
    cacheWrite: count('cache_creation_input_tokens') ?? count('cacheWriteInputTokens'),
  };
  if (ofAnthropic.cacheRead !== null || ofAnthropic.cacheWrite !== null) {
    // Clients of OpenAI's API add these to its own counts, which hold them.
    const convention = count('prompt_tokens') === null ? 'exclusive' : 'inclusive';
    return usageOfTokens({ input, output, ...ofAnthropic, reasoning: null, total }, convention);
  }
  const detail = (of: string, name: string): number | null =>
    count(`${of}_tokens_details`, name) ?? count(`${of}_token_details`, name);
  const written = detail('input', 'cache_creation');
  const [short, long] = [
    detail('input', 'ephemeral_5m_input_tokens'),
    detail('input', 'ephemeral_1h_input_tokens') ?? detail('input', 'ephemeral_1hr_input_tokens'),
  ];
  const lived = short === null && long === null ? null : (short ?? 0) + (long ?? 0);
  return usageOfTokens(
    {
      input,
      output,
      cacheRead:
        detail('prompt', 'cached_tokens') ??
        detail('input', 'cached_tokens') ??
        detail('input', 'cache_read') ??
        detail('prompt', 'cache_read'),
      cacheWrite: written === null || written === 0 ? (lived ?? written) : written,
      reasoning:
        detail('completion', 'reasoning_tokens') ??
        detail('output', 'reasoning_tokens') ??
        detail('output', 'reasoning') ??
        detail('completion', 'reasoning'),
      total,
    },
    'inclusive',
  );
}

/** Gemini counts thoughts beside the answer, and cached tokens within the prompt. */
function geminiUsage(usage: unknown): ImportedUsage | null {
  const answered = countAt(usage, 'candidatesTokenCount');
  const thought = countAt(usage, 'thoughtsTokenCount');
  return usageOfTokens(
    {
      input: countAt(usage, 'promptTokenCount'),
      output: answered === null && thought === null ? null : (answered ?? 0) + (thought ?? 0),
      cacheRead: countAt(usage, 'cachedContentTokenCount'),
      cacheWrite: null,
      reasoning: thought,
      total: null,
    },
    'inclusive',
  );
}

/** The usage of the first field that is a usage object. */
export function firstUsage(...candidates: readonly unknown[]): ImportedUsage | null {
  for (const candidate of candidates) {
    const usage = providerUsage(candidate);
    if (usage !== null) return usage;
  }
  return null;
}
