import { expect, it } from 'vitest';
import { providerUsage, usageOfTokens } from '../../../src/importers/messages/token-usage.ts';

it.each([
  [
    'OpenAI counts the cache as input',
    {
      prompt_tokens: 100,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 80 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 80, reasoningTokens: 4 },
  ],
  [
    'so do its responses',
    {
      input_tokens: 100,
      output_tokens: 9,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens_details: { reasoning_tokens: 4 },
    },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 80, reasoningTokens: 4 },
  ],
  [
    'Anthropic counts it beside',
    { input_tokens: 10, output_tokens: 9, cache_read_input_tokens: 80, cache_creation_input_tokens: 10 },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 80, cacheWriteTokens: 10 },
  ],
  [
    'Bedrock counts it beside',
    { inputTokens: 10, outputTokens: 9, cacheReadInputTokens: 90, cacheWriteInputTokens: 0 },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 90, cacheWriteTokens: 0 },
  ],
  [
    'clients that put Anthropic behind the API of OpenAI count it as input',
    {
      prompt_tokens: 100,
      completion_tokens: 9,
      cache_read_input_tokens: 80,
      cache_creation_input_tokens: 10,
      total_tokens: 109,
    },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 80, cacheWriteTokens: 10 },
  ],
  [
    'Gemini counts thoughts beside the answer',
    { promptTokenCount: 100, candidatesTokenCount: 5, thoughtsTokenCount: 4, cachedContentTokenCount: 80 },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 80, reasoningTokens: 4 },
  ],
  [
    'LangChain counts the cache as input',
    {
      input_tokens: 100,
      output_tokens: 9,
      total_tokens: 109,
      input_token_details: { cache_read: 80, cache_creation: 0, ephemeral_5m_input_tokens: 10 },
      output_token_details: { reasoning: 4 },
    },
    { promptTokens: 100, completionTokens: 9, cachedTokens: 80, cacheWriteTokens: 10, reasoningTokens: 4 },
  ],
  ['what is no count tells nothing', { prompt_tokens: -1, completion_tokens: 1.5, total_tokens: '9' }, null],
  ['nor does what is no object', 'usage', null],
])('%s', (_, usage, expected) => {
  expect(providerUsage(usage)).toEqual(expected);
});

it('a total tells the convention where a source has the other one', () => {
  const tokens = { input: 15_235, output: 281, cacheRead: 9088, cacheWrite: null, reasoning: null };
  expect(usageOfTokens({ ...tokens, total: 15_516 }, 'exclusive')).toMatchObject({ promptTokens: 15_235 });
  expect(usageOfTokens({ ...tokens, total: 24_604 }, 'inclusive')).toMatchObject({ promptTokens: 24_323 });
  expect(usageOfTokens({ ...tokens, total: null }, 'exclusive')).toMatchObject({ promptTokens: 24_323 });
  // More can not be cached than there is.
  expect(usageOfTokens({ ...tokens, input: 5, total: null }, 'inclusive')).toMatchObject({ promptTokens: 9093 });
});
