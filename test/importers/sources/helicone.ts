/** Requests of a session as Helicone's API lists them: a model that asks for a tool, the tool, the model again. */
export function heliconeSession(
  n: number,
  last: Readonly<Record<string, unknown>> = {},
): readonly Readonly<Record<string, unknown>>[] {
  const time = (second: number): string => `2026-03-01T10:00:0${second}.250Z`;
  const question = { role: 'user', content: `How warm is it in city ${n}?` };
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
  const asks = { role: 'assistant', content: null, tool_calls: [call] };
  const result = { role: 'tool', tool_call_id: 'c', content: '{"degrees":21}' };
  const base = {
    response_status: 200,
    properties: { 'Helicone-Session-Id': `session ${n}`, 'Helicone-Session-Name': 'weather' },
    provider: 'OPENAI',
    scores: null,
    feedback_rating: null,
  };
  const model = { ...base, request_path: '/v1/chat/completions', response_model: 'gpt-4o', request_model: 'gpt-4o' };
  return [
    {
      ...model,
      request_id: `${n}-0`,
      request_created_at: time(0),
      response_created_at: time(1),
      request_body: { model: 'gpt-4o', messages: [question] },
      response_body: {
        choices: [{ message: asks, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      },
      prompt_tokens: 100,
      completion_tokens: 10,
      total_tokens: 110,
      costUSD: 0.001,
    },
    {
      ...base,
      request_id: `${n}-1`,
      request_created_at: time(1),
      delay_ms: 1000,
      request_body: { _type: 'tool', toolName: 'weather', input: { city: 'Rome' } },
      response_body: { _type: 'tool', toolName: 'weather', degrees: 21 },
    },
    {
      ...model,
      request_id: `${n}-2`,
      request_created_at: time(2),
      response_created_at: time(4),
      request_body: { model: 'gpt-4o', messages: [question, asks, result] },
      response_body: {
        choices: [{ message: { role: 'assistant', content: '21 degrees.' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 130,
          completion_tokens: 5,
          total_tokens: 135,
          prompt_tokens_details: { cached_tokens: 100 },
        },
      },
      prompt_tokens: 30,
      prompt_cache_read_tokens: 100,
      completion_tokens: 5,
      costUSD: 0.002,
      scores: { 'correct-hcone-bool': 1, quality: 80 },
      ...last,
    },
  ];
}
