/** Runs of LangSmith as its API lists them: an agent that asks a model, which asks for a tool, and is asked again. */
export function langsmithTrace(n: number, root: Readonly<Record<string, unknown>> = {}): readonly object[] {
  const id = (step: number): string => `0000000${step}-0000-4000-8000-00000000000${n}`;
  const time = (second: number): string => `2026-03-01T10:00:0${second}.250000`;
  const base = { trace_id: id(0), session_id: 'project', error: null, prompt_tokens: 0, completion_tokens: 0 };
  const question = { role: 'user', content: `How warm is it in city ${n}?` };
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
  const asks = { role: 'assistant', content: null, tool_calls: [call] };
  const model = { ...base, run_type: 'llm', name: 'ChatOpenAI', parent_run_id: id(0) };
  const extra = { metadata: { ls_provider: 'openai', ls_model_name: 'gpt-4o' } };
  return [
    {
      ...base,
      id: id(0),
      parent_run_id: null,
      run_type: 'chain',
      name: 'agent',
      inputs: { question: question.content },
      outputs: { answer: '21 degrees.' },
      start_time: time(0),
      end_time: time(4),
      reference_example_id: `example ${n}`,
      prompt_tokens: 230,
      completion_tokens: 15,
      total_tokens: 245,
      total_cost: '0.003',
      feedback_stats: { correct: { n: 1, avg: 1, values: {} } },
      ...root,
    },
    {
      ...model,
      extra,
      id: id(1),
      start_time: time(1),
      end_time: time(2),
      inputs: { messages: [question] },
      outputs: { choices: [{ message: asks, finish_reason: 'tool_calls' }] },
      prompt_tokens: 100,
      completion_tokens: 10,
      total_tokens: 110,
      total_cost: '0.001',
    },
    {
      ...base,
      id: id(2),
      parent_run_id: id(0),
      run_type: 'tool',
      name: 'weather',
      inputs: { input: '{"city":"Rome"}' },
      outputs: { output: { type: 'tool', content: '{"degrees":21}', tool_call_id: 'c' } },
      start_time: time(2),
      end_time: time(3),
    },
    {
      ...model,
      extra,
      id: id(3),
      start_time: time(3),
      end_time: time(4),
      inputs: {
        messages: [question, asks, { role: 'tool', tool_call_id: 'c', content: '{"degrees":21}' }],
      },
      outputs: {
        choices: [{ message: { role: 'assistant', content: '21 degrees.' }, finish_reason: 'stop' }],
        usage_metadata: {
          input_tokens: 130,
          output_tokens: 5,
          total_tokens: 135,
          input_token_details: { cache_read: 100 },
        },
      },
      total_cost: '0.002',
    },
  ];
}

export function jsonLines(records: readonly object[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n');
}
