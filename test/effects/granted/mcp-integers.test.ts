import { NOTHING } from './a-disk.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createMcpEffect } from '../../../src/effects/granted/mcp-effect.ts';
import type { McpServer } from '../../../src/types/workflow.ts';
import { aCall, aToolCall } from './an-mcp-server.ts';

const SERVER = fileURLToPath(new URL('fixtures/raw-mcp.mjs', import.meta.url));
const { rawAnswer } = (await import(SERVER)) as { rawAnswer(text: string): string | null };

async function anHttpServer(type: 'application/json' | 'text/event-stream'): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const answer = rawAnswer(body);
      if (answer === null) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': type });
      if (type === 'application/json') return void response.end(answer);
      // In pieces, of which one ends in the middle of the integer.
      const event = `event: message\ndata: ${answer}\n\n`;
      const cut = event.indexOf('123456789');
      response.write(event.slice(0, cut));
      setTimeout(() => response.end(event.slice(cut)), 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const SERVERS: readonly (readonly [string, () => Promise<Partial<McpServer>>])[] = [
  ['a program', async () => ({ command: [process.execPath, SERVER] })],
  ['HTTP with plain answers', async () => ({ url: await anHttpServer('application/json') })],
  ['HTTP with streamed answers', async () => ({ url: await anHttpServer('text/event-stream') })],
];

test.each(SERVERS)('large integers reach an MCP server and come back digit by digit: %s', async (_, open) => {
  const server = { name: 'shop', command: [], allowTools: [], allowResources: [], env: {}, ...(await open()) };
  const granted = { ...NOTHING, run: true, net: ['127.0.0.1'] };
  const effect = createMcpEffect(granted, [server], {}, { limits: { startMs: 20_000, backoffMs: 1 } });
  onTestFinished(() => effect.close());
  const args = { id: 9_007_199_254_740_993n, list: [-(2n ** 63n)], nul: '\u00007', small: 5 };
  const { reply } = await effect.perform(aToolCall('find', args), aCall());
  expect(reply).toMatchObject({
    kind: 'value',
    value: { structured: { id: 1_234_567_890_123_456_789n, nul: '\u00005' } },
  });
  const [heard] = (reply as unknown as { value: { content: readonly { text: string }[] } }).value.content;
  expect(heard?.text).toContain('"id":9007199254740993,"list":[-9223372036854775808],"nul":"\\u00007","small":5');
});
