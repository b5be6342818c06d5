import { expect, test } from 'vitest';
import type { ModelRequest, Reply } from '../../src/plugin/request.ts';
import { compilePure } from '../support/compile-pure.ts';
import { aStep, begin, converse, gives, says } from './a-step.ts';
import { aPlan, aTurn } from './a-trial.ts';
import { textMessage, textOf } from '../../src/values/message-text.ts';

const ask = (content: string): ModelRequest => ({
  port: 'model',
  backend: 'default',
  messages: [textMessage('user', content)],
  maxTokens: 1024,
  repair: false,
});

test('llm_infer without a schema takes any text', () => {
  const step = aStep('llm_infer', { backend: 'default', prompt: 'Hi {{name}}{{list.0}}', inputFrom: 'x' });
  const output = { content: 'yo', parsed: null, usage: { prompt_tokens: 3, completion_tokens: 2 } };
  expect(converse(step, { x: { name: 'é', list: [1] } }, [says('yo')])).toEqual({
    requests: [ask('Hi é{{list.0}}')],
    end: { kind: 'done', output },
  });
  expect(converse(step, {}, [says('yo')]).requests).toEqual([ask('Hi {{name}}{{list.0}}')]);
});

test('llm_infer sends a rejected answer back with the reason, and reports the usage of the accepted one', () => {
  const step = aStep('llm_infer', {
    backend: 'default',
    prompt: 'P',
    outputSchema: { kind: 'json' },
    outputRepairs: 1,
  });
  expect(converse(step, {}, [says('{oops'), says('{"a":1}')])).toEqual({
    requests: [
      ask('P'),
      {
        ...ask('P'),
        messages: [
          textMessage('user', 'P'),
          textMessage('assistant', '{oops'),
          textMessage(
            'user',
            'That answer cannot be used: model returned invalid JSON: key must be a string at line 1 column 2. ' +
              'Send the corrected output and nothing else.',
          ),
        ],
        repair: true,
      },
    ],
    end: {
      kind: 'done',
      output: { content: '{"a":1}', parsed: { a: 1 }, usage: { prompt_tokens: 3, completion_tokens: 2 } },
    },
  });
});

test('llm_infer gives up after its repairs', () => {
  const step = aStep('llm_infer', {
    backend: 'default',
    prompt: 'P',
    outputSchema: { kind: 'json' },
    outputRepairs: 1,
  });
  expect(converse(step, {}, [says('{'), says('')]).end).toEqual({
    kind: 'error',
    category: 'schema',
    message:
      'llm_infer node `n`: output failed validation after 2 attempt(s): ' +
      'model returned invalid JSON: EOF while parsing a value at line 1 column 0',
  });
});

test('llm_infer says of an answer that does not fit whether it was cut at a cap', () => {
  const step = aStep('llm_infer', { backend: 'default', prompt: 'P', outputSchema: { kind: 'json' } });
  const cut: Reply = { ...says('{'), finish: 'length' } as Reply;
  expect(converse(step, {}, [cut]).end).toMatchObject({
    category: 'schema',
    message: expect.stringMatching(/EOF while .*; the answer was cut at the cap of its tokens, after 2$/),
  });
});

test('llm_infer enforces a schema', () => {
  const view = { compileSchema: () => () => ['/a must be a string', '/b must be a number'] };
  const outputSchema = { kind: 'schema', schema: {} };
  const step = aStep('llm_infer', { backend: 'default', prompt: 'P', outputSchema }, view);
  expect(converse(step, {}, [says('{}')]).end).toEqual({
    kind: 'error',
    category: 'schema',
    message:
      'llm_infer node `n`: output failed validation after 1 attempt(s): ' +
      'schema violation: /a must be a string; /b must be a number',
  });
});

test('a failing model stops the node; an unknown backend is never asked', () => {
  const step = aStep('llm_infer', { backend: 'default', prompt: 'P' });
  const fault: Reply = { kind: 'error', category: 'intelligence', message: 'injected', denied: false };
  expect(converse(step, {}, [fault]).end).toEqual({ kind: 'error', category: 'intelligence', message: 'injected' });
  expect(begin(aStep('llm_infer', { backend: 'fast', prompt: 'P' }, { backends: ['default', 'big'] }))).toEqual({
    kind: 'error',
    category: 'intelligence',
    message: 'backend `fast` is not configured on this runtime; known backends: big, default',
  });
});

const LOOP = {
  backend: 'default',
  maxSteps: 4,
  instructions: 'Do it.',
  tools: ['read_file', 'write_file', 'shell_run'],
};
const toolCall = (tool: string, args: unknown) =>
  says(`Sure!\n\`\`\`json\n${JSON.stringify({ action: 'tool', tool, args })}\n\`\`\``);
const FINAL = says('{"action":"final","result":{"done":"}"}}');

/** What the model was told since its previous answer. */
const lastTold = (requests: readonly unknown[]) =>
  (requests as ModelRequest[]).filter((r) => r.port === 'model').map((r) => textOf(r.messages.at(-1)?.parts ?? []));

test('agent_loop calls tools until the model is done', () => {
  const { requests, end } = converse(aStep('agent_loop', LOOP), {}, [
    toolCall('read_file', { path: '/a' }),
    gives({ path: '/a', content: 'hello', bytes: 5 }),
    FINAL,
  ]);
  expect(requests[1]).toEqual({ port: 'file', op: 'read', as: 'read_file', path: '/a' });
  expect(lastTold(requests)).toEqual(['Do it.', '{"tool_result":{"content":"hello","path":"/a"}}']);
  expect((requests[0] as ModelRequest).messages.map((m) => m.role)).toEqual(['system', 'user']);
  expect((requests[2] as ModelRequest).messages.map((m) => m.role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(end).toEqual({
    kind: 'done',
    output: {
      result: { done: '}' },
      steps: 2,
      tokens: 10,
      transcript: [
        { step: 1, action: 'tool', tool: 'read_file', args: { path: '/a' }, ok: true },
        { step: 2, action: 'final' },
      ],
    },
  });
});

test('agent_loop tells the model about denials, wrong tools, wrong arguments and malformed replies', () => {
  const denied: Reply = { kind: 'error', category: 'policy', message: 'read_file denied on /b: nope', denied: true };
  const { requests, end } = converse(aStep('agent_loop', { ...LOOP, maxSteps: 9 }), {}, [
    toolCall('read_file', { path: '/b' }),
    denied,
    toolCall('http_request', { method: 'GET', url: 'http://x' }),
    toolCall('write_file', { path: '/c', content: 1 }),
    toolCall('shell_run', { command: 'ls' }),
    says('I give up.'),
    says('{"action":"dance"}'),
    says('{"action":"final"}'),
  ]);
  expect(lastTold(requests).slice(1)).toEqual([
    '{"tool_result":{"error":"policy violation: read_file denied on /b: nope"}}',
    '{"tool_result":{"error":"tool `http_request` is not in this loop\'s allowed set: [read_file, write_file, shell_run]"}}',
    '{"tool_result":{"error":"tool `write_file` failed: tool args missing string field `content`"}}',
    '{"tool_result":{"error":"tool `shell_run` failed: shell_run requires an absolute path; got `ls`"}}',
    '{"error":"your reply is not a valid action object: it holds no complete JSON object"}',
    '{"error":"your reply is not a valid action object: \\"action\\" must be \\"tool\\" or \\"final\\""}',
  ]);
  expect(end).toMatchObject({ kind: 'done', output: { result: null, steps: 7, tokens: 35 } });
  const { transcript } = (end as unknown as { output: { transcript: { action: string; ok?: boolean }[] } }).output;
  expect(transcript.map(({ action, ok }) => [action, ok])).toEqual([
    ['tool', false],
    ['tool', false],
    ['tool', false],
    ['tool', false],
    ['malformed', undefined],
    ['malformed', undefined],
    ['final', undefined],
  ]);
});

test('agent_loop is exhausted by steps, by its own tokens and by the budget of the run', () => {
  const malformed = { step: 1, action: 'malformed' };
  const exhausted = (reason: string, transcript: readonly unknown[]) => ({
    kind: 'done',
    output: { result: null, reason, steps: transcript.length, transcript },
    branch: 'exhausted',
  });
  const spent: Reply = { kind: 'error', category: 'tool', message: 'budget', denied: false, spent: true };
  expect(converse(aStep('agent_loop', { ...LOOP, maxSteps: 0 }), {}, [says('?')]).end).toEqual(
    exhausted('step cap exhausted', [malformed]),
  );
  expect(converse(aStep('agent_loop', { ...LOOP, maxTokens: 5 }), {}, [says('?')]).end).toEqual(
    exhausted('token budget exhausted', [malformed]),
  );
  expect(converse(aStep('agent_loop', { ...LOOP, maxTokens: 0 }), {}, []).end).toEqual(
    exhausted('token budget exhausted', []),
  );
  expect(converse(aStep('agent_loop', LOOP), {}, [says('?'), spent]).end).toEqual(
    exhausted('run token budget exhausted', [malformed]),
  );
});

test('agent_loop takes its task from a path and stops without one', () => {
  const { instructions: _, ...rest } = LOOP;
  const step = aStep('agent_loop', { ...rest, instructionsFrom: 'x' });
  expect(lastTold(converse(step, { x: { b: 1 } }, [FINAL]).requests)).toEqual(['{"b":1}']);
  expect(begin(step)).toEqual({
    kind: 'error',
    category: 'tool',
    message: 'instructions_from `x` is not set in the execution context',
  });
});

test('agent_loop stops with a failing model and runs at most 64 steps', () => {
  const fault: Reply = { kind: 'error', category: 'intelligence', message: 'down', denied: false };
  expect(converse(aStep('agent_loop', LOOP), {}, [fault]).end).toEqual({
    kind: 'error',
    category: 'intelligence',
    message: 'down',
  });
  const { end } = converse(aStep('agent_loop', { ...LOOP, maxSteps: 1000 }), {}, new Array<Reply>(64).fill(says('?')));
  expect(end).toMatchObject({ branch: 'exhausted', output: { steps: 64, reason: 'step cap exhausted' } });
  expect(begin(aStep('agent_loop', { ...LOOP, backend: 'x' }))).toEqual({
    kind: 'error',
    category: 'intelligence',
    message: 'agent_loop node `n`: backend `x` is not configured',
  });
});

test('agent_loop carries out every tool', () => {
  const tools = ['write_file', 'read_env', 'http_request', 'shell_run', 'call_mcp_tool'];
  const step = aStep('agent_loop', { ...LOOP, maxSteps: 9, tools }, { mcpServers: ['m'] });
  const { requests } = converse(step, {}, [
    toolCall('write_file', { path: '/c', content: 'x' }),
    gives({ path: '/c', bytes: 1, written: true }),
    toolCall('read_env', { key: 'K' }),
    gives({ key: 'K', value: null, missing: true }),
    toolCall('http_request', { method: 'post', url: 'http://x', body: { a: 1 } }),
    gives({ status: 500, headers: {}, body: '', bytes: 0 }),
    toolCall('shell_run', { command: '/bin/ls', args: ['-l', 1, 'x'] }),
    gives({ command: '/bin/ls', args: [], exit_code: 1, signal: null, stdout: 'o', stderr: 'e', timed_out: false }),
    toolCall('call_mcp_tool', { tool: 't', args: [1] }),
    gives({ tool: 't', server: 'm', content: 'c', is_error: true, structured: null }),
    FINAL,
  ]);
  expect(requests.filter(({ port }) => port !== 'model')).toEqual([
    { port: 'file', op: 'write', as: 'write_file', path: '/c', content: 'x' },
    { port: 'env', key: 'K' },
    { port: 'http', method: 'POST', url: 'http://x', headers: {}, body: '{"a":1}' },
    { port: 'process', command: '/bin/ls', args: ['-l', 'x'], timeoutMs: 30_000 },
    { port: 'mcp', op: 'tool', server: 'm', target: 't', args: [1] },
  ]);
  expect(lastTold(requests).slice(1)).toEqual([
    '{"tool_result":{"bytes":1,"path":"/c"}}',
    '{"tool_result":{"key":"K","missing":true,"value":null}}',
    '{"tool_result":{"body":"","bytes":0,"headers":{},"status":500}}',
    '{"tool_result":{"exit_code":1,"stderr":"e","stdout":"o","timed_out":false}}',
    '{"tool_result":{"content":"c","is_error":true,"structured":null,"tool":"t"}}',
  ]);
});

test('agent_loop tells its model the name of its workflow', async () => {
  const plan = aPlan({
    nodes: [['loop', 'agent_loop', { backend: 'default', maxSteps: 3, instructions: 'Go.', tools: ['call_mcp_tool'] }]],
    turns: [
      aTurn('{"action": "tool", "tool": "call_mcp_tool", "args": {"tool": "x"}}'),
      aTurn('{"action": "final", "result": 1}'),
    ],
  });
  const { trace } = await compilePure(plan).inspect(0);
  expect(JSON.stringify(trace)).toContain('workflow `flow`: no mcp_servers configured');
});
