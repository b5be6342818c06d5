/** A whole trajectory of version 1.6 with what the format has words for. */
export const TRAJECTORY = {
  schema_version: 'ATIF-v1.6',
  session_id: 'session-1',
  agent: {
    name: 'harbor-agent',
    version: '1.2.0',
    model_name: 'model-a',
    tool_definitions: [{ type: 'function', function: { name: 'search', parameters: { type: 'object' } } }],
  },
  steps: [
    { step_id: 1, timestamp: '2026-10-11T10:30:00Z', source: 'system', message: 'Be brief.' },
    { step_id: 2, timestamp: '2026-10-11T10:30:00.500Z', source: 'user', message: 'What does it cost?' },
    {
      step_id: 3,
      timestamp: '2026-10-11T10:30:02Z',
      source: 'agent',
      message: 'I look it up.',
      reasoning_content: 'The price is asked for.',
      tool_calls: [
        { tool_call_id: 'call_1', function_name: 'search', arguments: { query: 'price' } },
        { tool_call_id: 'call_2', function_name: 'search', arguments: { query: 'volume' } },
      ],
      observation: {
        results: [
          { source_call_id: 'call_1', content: '185.35' },
          { source_call_id: 'call_2', content: 'No such thing.', extra: { is_error: true } },
        ],
      },
      metrics: { prompt_tokens: 520, completion_tokens: 80, cached_tokens: 200, cost_usd: 0.00045 },
    },
    {
      step_id: 4,
      timestamp: '2026-10-11T10:30:05Z',
      source: 'agent',
      model_name: 'model-b',
      message: [
        { type: 'text', text: 'It costs 185.35.' },
        { type: 'image', source: { media_type: 'image/png', path: 'images/chart.png' } },
      ],
      metrics: { prompt_tokens: 600, completion_tokens: 44, extra: { reasoning_output_tokens: 12 }, cost_usd: 0.00033 },
    },
  ],
  final_metrics: {
    total_prompt_tokens: 1120,
    total_completion_tokens: 124,
    total_cached_tokens: 200,
    total_cost_usd: 0.00078,
    total_steps: 4,
  },
  notes: 'A first try.',
};
