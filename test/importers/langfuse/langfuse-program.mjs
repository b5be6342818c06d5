// Traces with the real SDK of Langfuse: node langfuse-program.mjs PACKAGES SERVER. Prints the traces that it fetches in the end.
import { pathToFileURL } from 'node:url';

const [, , packages, baseUrl] = process.argv;
const { Langfuse } = await import(pathToFileURL(`${packages}langfuse/lib/index.mjs`).href);
const langfuse = new Langfuse({ publicKey: 'pk', secretKey: 'sk', baseUrl });

const CALL = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":1}' } };

/** An agent that asks a model, which asks for a tool, and is asked again. */
async function run(item, answer) {
  const trace = langfuse.trace({ name: 'agent', input: item.input, sessionId: 'session', tags: ['test'] });
  const span = trace.span({ name: 'work', input: item.input });
  const messages = [{ role: 'user', content: item.input.question }];
  const first = span.generation({ name: 'chat', model: 'gpt-4o', input: messages });
  const asks = { role: 'assistant', content: null, tool_calls: [CALL] };
  first.end({ output: asks, usage: { promptTokens: 100, completionTokens: 10, totalTokens: 110 } });
  const result = { role: 'tool', tool_call_id: CALL.id, content: '{"sum":2}' };
  const last = span.generation({ name: 'chat', model: 'gpt-4o', input: { messages: [...messages, asks, result] } });
  if (answer === null) {
    last.end({ level: 'ERROR', statusMessage: 'the server was down' });
    span.end({ level: 'ERROR', statusMessage: 'the server was down' });
  } else {
    last.end({
      output: { role: 'assistant', content: answer },
      usageDetails: { input: 30, input_cached_tokens: 100, output: 3, output_reasoning_tokens: 2 },
      costDetails: { input: 0.001, output: 0.0005 },
    });
    span.end({ output: answer });
    trace.update({ output: { answer } });
    last.score({ name: 'tone', value: 'pass', dataType: 'CATEGORICAL' });
    trace.score({
      name: 'correct',
      value: answer === item.expectedOutput ? 1 : 0,
      dataType: 'BOOLEAN',
      comment: 'by code',
    });
  }
  await item.link(trace, 'first run');
  return trace.id;
}

const { items } = await langfuse.getDataset('sums');
const [one, two] = items;
const ids = [];
for (const [item, answer] of [
  [one, 'It is 2.'],
  [two, 'It is 2.'],
  [one, 'It is 3.'],
  [two, null],
]) {
  ids.push(await run(item, answer));
}
await langfuse.flushAsync();
const fetched = [];
for (const id of ids) fetched.push((await langfuse.fetchTrace(id)).data);
await langfuse.shutdownAsync();
process.stdout.write(`\n${JSON.stringify(fetched)}\n`);
process.exit(0);
