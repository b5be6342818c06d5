/** A trace of Langfuse as its API gives it whole: an agent that asks a model, which calls a tool, and is asked again. */
export function langfuseTrace(
  n: number,
  trace: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const id = `trace-${n}`;
  const time = (second: number): string => `2026-03-01T10:00:0${second}.250Z`;
  const question = { role: 'user', content: `How warm is it in city ${n}?` };
  const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
  const asks = { role: 'assistant', content: null, tool_calls: [call] };
  const result = { role: 'tool', tool_call_id: 'c', content: '{"degrees":21}' };
  const base = { traceId: id, level: 'DEFAULT', statusMessage: null };
  const agent = { ...base, id: `${id}-0`, type: 'AGENT', name: 'agent', parentObservationId: null };
  const model = { ...base, type: 'GENERATION', name: 'chat', model: 'gpt-4o', parentObservationId: `${id}-0` };
  return {
    id,
    timestamp: time(0),
    name: 'weather',
    input: { question: question.content },
    output: '21 degrees.',
    sessionId: null,
    release: 'v1',
    metadata: { task: `task ${n}` },
    htmlPath: `/project/p/traces/${id}`,
    latency: 4,
    totalCost: 0.003,
    observations: [
      { ...agent, startTime: time(0), endTime: time(4) },
      {
        ...model,
        id: `${id}-1`,
        startTime: time(1),
        endTime: time(2),
        input: [question],
        output: asks,
        usageDetails: { input: 100, output: 10, total: 110 },
        costDetails: { input: 0.0005, output: 0.0005, total: 0.001 },
      },
      {
        ...base,
        id: `${id}-2`,
        type: 'TOOL',
        name: 'weather',
        parentObservationId: `${id}-0`,
        startTime: time(2),
        endTime: time(3),
        input: { city: 'Rome' },
        output: '{"degrees":21}',
      },
      {
        ...model,
        id: `${id}-3`,
        startTime: time(3),
        endTime: time(4),
        input: { messages: [question, asks, result] },
        output: { role: 'assistant', content: '21 degrees.' },
        usageDetails: { input: 30, input_cached_tokens: 100, output: 3, output_reasoning_tokens: 2, total: 135 },
        costDetails: { total: 0.002 },
      },
    ],
    scores: [{ id: `score-${n}`, traceId: id, name: 'correct', value: 1, dataType: 'BOOLEAN', stringValue: 'True' }],
    ...trace,
  };
}
