import OpenAI from 'openai';

/** What the agent under test says, and what its client threw; one of both is null. */
export interface Said {
  readonly text: string | null;
  readonly error: string | null;
}

/**
 * An agent written with OpenAI's own client and streaming answers: asks its model, calls the tool `market_data` when the
 * model wants it, tells the result, and says what the model makes of it.
 */
export async function askAgent(baseUrl: string, prompt: string): Promise<Said> {
  const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'test-key', maxRetries: 0 });
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You quote prices and cite their source.' },
    { role: 'user', content: prompt },
  ];
  try {
    for (let turn = 0; turn < 4; turn++) {
      const stream = client.chat.completions.stream({
        model: 'm',
        messages,
        stream_options: { include_usage: true },
        tools: [
          { type: 'function', function: { name: 'market_data', parameters: { type: 'object', properties: {} } } },
        ],
      });
      const message = (await stream.finalChatCompletion()).choices[0]?.message;
      if (message === undefined) return { text: null, error: 'no message' };
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) return { text: message.content ?? '', error: null };
      messages.push(message);
      for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.id, content: '{"price":5}' });
    }
    return { text: null, error: 'too many turns' };
  } catch (error) {
    return { text: null, error: error instanceof Error ? error.message : String(error) };
  }
}
