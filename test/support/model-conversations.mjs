/** Conversations with a model through the SDKs of providers, which `load` imports: what the model says, and the calls that it asks for. */
export const conversations = { openaiChat, openaiResponses, anthropicMessages, geminiContents };

const parameters = { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] };

async function openaiChat({ load, messages, model, stream }) {
  const { default: OpenAI } = await load('openai');
  const client = new OpenAI({ baseURL: model, apiKey: 'none', maxRetries: 0 });
  const said = [...messages];
  const tools = [{ type: 'function', function: { name: 'pay', parameters } }];
  return {
    ask: async () => {
      const asked = { model: 'gpt-5', messages: said, tools };
      const completion = stream
        ? await client.chat.completions.stream(asked).finalChatCompletion()
        : await client.chat.completions.create(asked);
      const { message } = completion.choices[0];
      said.push(message);
      const calls = (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        args: JSON.parse(call.function.arguments),
      }));
      return { text: message.content ?? '', calls };
    },
    told: (id, content) => said.push({ role: 'tool', tool_call_id: id, content }),
  };
}

async function openaiResponses({ load, messages, model, stream }) {
  const { default: OpenAI } = await load('openai');
  const client = new OpenAI({ baseURL: model, apiKey: 'none', maxRetries: 0 });
  const input = [...messages];
  const tools = [{ type: 'function', name: 'pay', parameters, strict: false }];
  return {
    ask: async () => {
      const asked = { model: 'gpt-5', input, tools };
      const response = stream
        ? await client.responses.stream(asked).finalResponse()
        : await client.responses.create(asked);
      input.push(...response.output.map(({ parsed_arguments: _, ...item }) => item));
      const calls = response.output.filter(({ type }) => type === 'function_call');
      return {
        text: response.output_text,
        calls: calls.map((call) => ({ id: call.call_id, args: JSON.parse(call.arguments) })),
      };
    },
    told: (id, output) => input.push({ type: 'function_call_output', call_id: id, output }),
  };
}

async function anthropicMessages({ load, messages, model, stream }) {
  const { default: Anthropic } = await load('@anthropic-ai/sdk');
  const client = new Anthropic({ baseURL: model, apiKey: 'none', maxRetries: 0 });
  const [{ content: system }, ...said] = messages;
  const tools = [{ name: 'pay', input_schema: parameters }];
  return {
    ask: async () => {
      const asked = { model: 'claude', max_tokens: 100, system, messages: said, tools };
      const message = stream ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked);
      said.push({ role: 'assistant', content: message.content });
      const calls = message.content.filter(({ type }) => type === 'tool_use');
      return {
        text: message.content.flatMap(({ text }) => text ?? []).join(''),
        calls: calls.map(({ id, input }) => ({ id, args: input })),
      };
    },
    told: (id, content) => said.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }),
  };
}

async function geminiContents({ load, messages, model, stream }) {
  const { GoogleGenAI } = await load('@google/genai');
  // Its addresses end before the version.
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: model.replace(/\/v1$/, '') } });
  const [{ content: systemInstruction }, ...said] = messages;
  const contents = said.map(({ role, content }) => ({
    role: role === 'user' ? 'user' : 'model',
    parts: [{ text: content }],
  }));
  const tools = [{ functionDeclarations: [{ name: 'pay', parametersJsonSchema: parameters }] }];
  return {
    ask: async () => {
      const asked = { model: 'gemini-3', contents, config: { systemInstruction, tools } };
      const answers = [];
      if (!stream) answers.push(await client.models.generateContent(asked));
      else for await (const answer of await client.models.generateContentStream(asked)) answers.push(answer);
      const parts = answers.flatMap(({ candidates }) => candidates[0].content.parts ?? []);
      contents.push({ role: 'model', parts });
      return {
        text: parts.flatMap(({ text, thought }) => (thought === true ? [] : (text ?? []))).join(''),
        calls: parts.flatMap(({ functionCall: call }) =>
          call === undefined ? [] : [{ id: call.id, args: call.args }],
        ),
      };
    },
    told: (id, output) =>
      contents.push({ role: 'user', parts: [{ functionResponse: { id, name: 'pay', response: { output } } }] }),
  };
}
