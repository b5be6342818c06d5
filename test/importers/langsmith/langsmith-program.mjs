// Traces with the real SDK of LangSmith: node langsmith-program.mjs PACKAGES SERVER. Prints what its client lists in the end.
import { pathToFileURL } from 'node:url';

const [, , packages, apiUrl] = process.argv;
Object.assign(process.env, { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: apiUrl, LANGSMITH_API_KEY: 'none' });
const load = (name) => import(pathToFileURL(`${packages}${name}`).href);
const { Client } = await load('langsmith/index.mjs');
const { evaluate } = await load('langsmith/evaluation.mjs');
const { traceable } = await load('langsmith/traceable.mjs');
const { AIMessage, HumanMessage, SystemMessage, ToolMessage } = await load('@langchain/core/dist/messages/index.js');
const { FakeListChatModel } = await load('@langchain/core/dist/utils/testing/index.js');

const client = new Client({ apiUrl, apiKey: 'none' });

// An agent by hand: a model that asks for a tool, the tool, the model again. The client below the model is traced, too.
const usage = (input_tokens, output_tokens, cache_read) => ({
  input_tokens,
  output_tokens,
  total_tokens: input_tokens + output_tokens,
  input_token_details: { cache_read },
});
const CALL = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":1}' } };
const facts = { ls_provider: 'openai', ls_model_name: 'gpt-4o' };
const wire = traceable(
  async ({ messages }) =>
    messages.length === 1
      ? {
          choices: [{ message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'tool_calls' }],
          usage_metadata: usage(100, 10, 0),
        }
      : {
          choices: [{ message: { role: 'assistant', content: 'It is 2.' }, finish_reason: 'stop' }],
          usage_metadata: usage(130, 5, 100),
        },
  { name: 'ChatOpenAI wire', run_type: 'llm', metadata: facts },
);
const model = traceable((input) => wire(input), { name: 'model', run_type: 'llm', metadata: facts });
const add = traceable(async ({ a, b }) => ({ sum: a + b }), { name: 'add', run_type: 'tool' });

let asked = 0;
async function agent({ question }) {
  asked++;
  if (asked === 4) throw new Error('the server was down');
  const messages = [{ role: 'user', content: question }];
  const first = await model({ messages });
  const { sum } = await add(JSON.parse(CALL.function.arguments));
  const result = { role: 'tool', tool_call_id: CALL.id, name: 'add', content: JSON.stringify({ sum }) };
  const last = await model({ messages: [...messages, first.choices[0].message, result] });
  return { answer: asked === 3 ? 'It is 3.' : last.choices[0].message.content };
}

const example = (n) => ({
  id: `${n}1111111-1111-4111-8111-111111111111`,
  inputs: { question: `What is ${n} + 1?` },
  outputs: { answer: `It is 2.` },
  dataset_id: '44444444-4444-4444-8444-444444444444',
  created_at: '2026-01-01T00:00:00Z',
  modified_at: '2026-01-01T00:00:00Z',
  runs: [],
});
await evaluate(agent, {
  data: [example(1), example(2)],
  numRepetitions: 2,
  client,
  maxConcurrency: 1,
  experimentPrefix: 'agent',
  evaluators: [
    ({ outputs, referenceOutputs }) => ({ key: 'correct', score: outputs?.answer === referenceOutputs?.answer }),
  ],
});
await client.awaitPendingTraceBatches();
// LangChain's own messages, as its tracer writes them.
process.env.LANGSMITH_PROJECT = 'langchain';
const { LangChainTracer } = await load('@langchain/core/dist/tracers/tracer_langchain.js');
const chat = new FakeListChatModel({ responses: ['Mild, 21 degrees.'] });
await chat.invoke(
  [
    new SystemMessage('Be brief.'),
    new HumanMessage('How is the weather in Rome?'),
    new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Rome' } }] }),
    new ToolMessage({ content: '{"degrees":21}', tool_call_id: 'c1', name: 'weather' }),
  ],
  { callbacks: [new LangChainTracer({ client, projectName: 'langchain' })] },
);
await client.awaitPendingTraceBatches();
const listed = [];
for await (const run of client.listRuns({ projectId: '22222222-2222-4222-8222-222222222222' })) listed.push(run);
// The SDK prints, too: the last line is ours.
process.stdout.write(`\n${JSON.stringify(listed)}\n`);
process.exit(0);
