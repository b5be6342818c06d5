import { expect, test } from 'vitest';
import {
  type SessionTool,
  ToolError,
  toAiSdkTools,
  toLangChainTools,
  toOpenAiAgentsTools,
} from '../../../src/plugin/index.ts';

/** A tool that finds what it is asked for, and tells the agent of nothing else. */
const FIND: SessionTool = {
  name: 'find',
  description: 'Finds an order.',
  parameters: { type: 'object', properties: { id: { type: 'string' } } },
  execute: (args) => {
    const { id } = args as { readonly id: string };
    if (id !== 'o1') throw new ToolError(`no order ${id}`);
    return { id, total: 5 };
  },
};
const FOUND = '{"id":"o1","total":5}';

test('a tool of a session becomes one of the Vercel AI SDK', () => {
  const tools = toAiSdkTools([FIND], { jsonSchema: (schema: unknown) => ({ schema }) });
  const { find } = tools;
  expect(find).toMatchObject({ description: FIND.description, inputSchema: { schema: FIND.parameters } });
  expect(find?.execute({ id: 'o1' } as never)).toBe(FOUND);
  expect(() => find?.execute({ id: 'o2' } as never)).toThrow('no order o2');
});

test('a tool of a session becomes one of LangChain, whose errors reach the model as messages', () => {
  class ToolMessage {
    readonly fields: unknown;
    constructor(fields: never) {
      this.fields = fields;
    }
  }
  const tool = (run: (args: unknown, config?: unknown) => unknown, options: object) => ({ run, options });
  const [find] = toLangChainTools<ReturnType<typeof tool>>([FIND], { tool, ToolMessage } as never);
  expect(find?.options).toEqual({ name: 'find', description: FIND.description, schema: FIND.parameters });
  expect(find?.run({ id: 'o1' })).toBe(FOUND);
  expect(find?.run({ id: 'o2' }, { toolCall: { id: 'c1' } })).toEqual(
    new ToolMessage({ status: 'error', content: 'no order o2', tool_call_id: 'c1', name: 'find' } as never),
  );
  expect(() => find?.run({ id: 'o2' })).toThrow('no order o2');
});

test('a tool of a session becomes one of the OpenAI Agents SDK, which tells the model of errors', () => {
  interface Made {
    readonly execute: (args: unknown) => unknown;
    readonly errorFunction: (context: unknown, error: unknown) => string;
  }
  const [find] = toOpenAiAgentsTools<Made>([FIND], { tool: (options: never) => options as Made });
  expect(find).toMatchObject({ name: 'find', parameters: FIND.parameters, strict: false });
  expect(find?.execute({ id: 'o1' })).toBe(FOUND);
  expect(find?.errorFunction(null, new ToolError('no order o2'))).toBe('Error: no order o2');
  const fault = new Error('a fault of the world');
  expect(() => find?.errorFunction(null, fault)).toThrow(fault);
});
