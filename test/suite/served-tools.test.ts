import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as current from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, test } from 'vitest';
import { loadSuite, renderReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-served-tools-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Asked {
  readonly message: string;
  readonly tools: string;
}

const TEMPLATE = `request_template = '{"message": "{prompt}", "tools": "{tools_url}"}'\nstateless = true`;

let count = 0;

/** A till: the user wants to pay 12 euros. */
function aTill(agents: string, { step = '{ append = ["paid"], value = "{{args.cents}}" }' } = {}): string {
  const file = `t${count++}.toml`;
  const text = `name = "till"
min_pass_rate = 0
[session]
calls = 3
[state]
paid = []
[[tools]]
name = "pay"
description = "Takes money."
parameters = { properties = { cents = { type = "integer", minimum = 1 } }, required = ["cents"] }
steps = [${step}]
result = { ok = true }
${agents}
[[tasks]]
name = "take money"
user = { opening = "I want to pay.", known = { amount = "12 euros" } }
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
`;
  writeFileSync(path.join(cwd, file), text);
  return file;
}

function run(file: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({ cwd, paths: [file], workers: 0, trials: 2, permissions: { net: ['127.0.0.1'] }, ...options });
}

test('an agent that is told nowhere of the tools of its world is a warning: what forbids a call would hold', async () => {
  const untold = `[[agents]]\nname = "mine"\nendpoint = "http://127.0.0.1:1"\nstateless = true`;
  const { issues } = await loadSuite({ cwd, paths: [aTill(untold)] });
  expect(issues).toMatchObject([{ code: 'tools_unserved', severity: 'warning' }]);
  const served = `[[agents]]\nname = "mine"\nendpoint = "http://127.0.0.1:1"\n${TEMPLATE}`;
  expect((await loadSuite({ cwd, paths: [aTill(served)] })).issues).toEqual([]);
});

/** An agent over HTTP that does this with each message. */
async function anAgent(act: (asked: Asked) => Promise<string>): Promise<string> {
  const server = await anHttpServer((_, response) => {
    const asked = JSON.parse(server.seen.at(-1)?.body ?? '') as Asked;
    void act(asked).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return `[[agents]]\nname = "mine"\nendpoint = "${server.origin}"\n${TEMPLATE}`;
}

async function connected<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'till', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<typeof client.connect>[0]);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function overStdio<T>(transport: StdioClientTransport, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'till', version: '1.0.0' });
  try {
    await client.connect(transport);
    return await use(client);
  } finally {
    await client.close();
  }
}

const pay = (url: string, args: Record<string, unknown>, name = 'pay') =>
  connected(url, (client) => client.callTool({ name, arguments: args }));

const post = (url: string, body: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body,
  });

interface Shown {
  readonly trials: object;
  readonly failures: readonly { readonly record?: { readonly ending: object; readonly calls: readonly object[] } }[];
}

const shown = ({ scenarios }: SuiteReport) => scenarios as unknown as readonly Shown[];

describe('tools that are served over MCP', () => {
  test('are reached over stdio by a client that starts its servers itself, until the session is over', async () => {
    let late: StdioClientTransport | null = null;
    const server = await anHttpServer((_, response) => {
      const { mcpServers } = JSON.parse(server.seen.at(-1)?.body ?? '') as {
        readonly mcpServers: { readonly till: { readonly command: string; readonly args: string[] } };
      };
      late = new StdioClientTransport(mcpServers.till);
      void overStdio(new StdioClientTransport(mcpServers.till), async (client) => {
        const { tools } = await client.listTools();
        const { content } = await client.callTool({ name: 'pay', arguments: { cents: 1200 } });
        response.end(`${tools[0]?.name}: ${JSON.stringify(content)}`);
      });
    });
    const template = `'{"mcpServers": {"till": {tools_server}}}'`;
    const agent = `[[agents]]\nname = "mine"\nendpoint = "${server.origin}"\nstateless = true\nrequest_template = ${template}`;
    const report = await run(aTill(agent), { trials: 1 });
    expect(shown(report)).toMatchObject([{ trials: { passed: 1 } }]);
    const connecting = overStdio(late as unknown as StdioClientTransport, (client) => client.listTools());
    await expect(connecting).rejects.toThrow(/cannot be reached|answer with 410/);
  });

  test('are listed with their schemas and carried out in the world of their own session', async () => {
    const urls = new Set<string>();
    const lists: object[] = [];
    const agent = await anAgent(async ({ message, tools }) => {
      urls.add(tools);
      if (!message.includes('12')) return 'Which amount?';
      const { tools: list } = await connected(tools, (client) => client.listTools());
      lists.push(list);
      const { content } = await pay(tools, { cents: 1200 });
      return `Thank you. ${JSON.stringify(content)}`;
    });
    const report = await run(aTill(agent), { trials: 8, concurrency: 4 });
    expect(shown(report)).toMatchObject([{ trials: { passed: 8 } }]);
    // Each session has a path of its own, which nobody could guess.
    expect(urls.size).toBe(8);
    for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/mcp$/);
    expect(lists[0]).toEqual([
      {
        name: 'pay',
        description: 'Takes money.',
        inputSchema: { type: 'object', properties: { cents: { type: 'integer', minimum: 1 } }, required: ['cents'] },
      },
    ]);
  });

  test('are carried out for a client that knows the newest revision alone', async () => {
    const agent = await anAgent(async ({ tools }) => {
      const versionNegotiation = { mode: { pin: '2026-07-28' } };
      const client = new current.Client({ name: 'till', version: '1.0.0' }, { versionNegotiation });
      await client.connect(new current.StreamableHTTPClientTransport(new URL(tools)));
      const { tools: list } = await client.listTools();
      const { content } = await client.callTool({ name: 'pay', arguments: { cents: 1200 } });
      await client.close();
      return `${list[0]?.name}: ${JSON.stringify(content)}`;
    });
    expect(shown(await run(aTill(agent)))).toMatchObject([{ trials: { passed: 2 } }]);
  });

  test('give the same bytes for any number of workers', async () => {
    const agent = await anAgent(async ({ message, tools }) => {
      if (!message.includes('12')) return 'Which amount?';
      await pay(tools, { cents: 12 });
      return 'Thank you.';
    });
    const file = aTill(agent);
    const bytes = async (options: RunSuiteOptions) =>
      renderReport(await run(file, { trials: 6, ...options }), { reporter: 'json', timing: false });
    const one = await bytes({ workers: 0, concurrency: 1 });
    expect(shown(JSON.parse(one) as SuiteReport)).toMatchObject([{ trials: { failed: 6 } }]);
    expect(await bytes({ workers: 2, concurrency: 4 })).toBe(one);
  });

  test.each<[string, (url: string) => Promise<unknown>, object]>([
    [
      'a tool that does not exist',
      (url) => pay(url, {}, 'steal'),
      { isError: true, content: [{ type: 'text', text: 'There is no tool "steal". Tools: pay.' }] },
    ],
    [
      'arguments that do not fit',
      (url) => pay(url, { cents: 0 }),
      { isError: true, content: [{ type: 'text', text: expect.stringContaining('cents') }] },
    ],
  ])('answer %s with what is wrong, and count the call', async (_, call, expected) => {
    const answers: unknown[] = [];
    const agent = await anAgent(async ({ tools }) => {
      answers.push(await call(tools));
      return 'Thank you.';
    });
    const report = await run(aTill(agent), { trials: 1 });
    expect(answers).toMatchObject([expected]);
    expect(shown(report)[0]?.failures[0]?.record?.calls).toMatchObject([{ problem: expect.any(String) }]);
  });

  test.each<[string, (url: string) => Promise<Response>, number]>([
    ['no JSON', (url) => post(url, '{'), 400],
    ['no request of the protocol', (url) => post(url, '{"a": 1}'), 400],
    ['two megabytes', (url) => post(url, JSON.stringify('x'.repeat(2 << 20))), 413],
    ['brackets without end', (url) => post(url, '['.repeat(500_000)), 400],
    ['another method', (url) => fetch(url), 405],
    ['another path', (url) => post(url.replace(/\/[\w-]+\/mcp/, '/other/mcp'), '{}'), 410],
  ])('refuse %s, and the session goes on', async (_, ask, status) => {
    const statuses: number[] = [];
    const agent = await anAgent(async ({ message, tools }) => {
      const response = await ask(tools).catch(() => null);
      if (response !== null) statuses.push(response.status);
      if (!message.includes('12')) return 'Which amount?';
      await pay(tools, { cents: 1200 });
      return 'Thank you.';
    });
    const report = await run(aTill(agent), { trials: 1 });
    expect(shown(report)).toMatchObject([{ trials: { passed: 1 } }]);
    // A client that is still sending may see the connection closed before the answer.
    expect(statuses.filter((one) => one !== status)).toEqual([]);
  });

  test('deep arguments are answered with what is wrong', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const answers: string[] = [];
    const agent = await anAgent(async ({ tools }) => {
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"cents":${deep}}}}`;
      const response = await post(tools, call);
      answers.push(await response.text());
      return 'Thank you.';
    });
    const report = await run(aTill(agent), { trials: 1 });
    expect(answers).toEqual([expect.stringMatching(/isError|error/)]);
    expect(shown(report)).toMatchObject([{ trials: { failed: 1, broken: 0 } }]);
  });

  test('end a session that calls without end, with its limit', async () => {
    const said: unknown[] = [];
    const agent = await anAgent(async ({ tools }) => {
      for (let call = 0; call < 6; call++) said.push((await pay(tools, { cents: 1 })).isError ?? false);
      return 'Thank you.';
    });
    const report = await run(aTill(agent), { trials: 1 });
    expect(said).toEqual([false, false, false, true, true, true]);
    expect(shown(report)[0]?.failures[0]?.record).toMatchObject({
      ending: { status: 'failed', reason: 'The agent had made 3 calls, and wanted more.' },
      calls: [{}, {}, {}],
    });
  });

  test('are gone when the session is over, and when the run is', async () => {
    const urls: string[] = [];
    const statuses: number[] = [];
    const agent = await anAgent(async ({ tools }) => {
      const [before] = urls;
      urls.push(tools);
      if (before !== undefined) statuses.push((await post(before, '{}')).status);
      return 'Thank you.';
    });
    const report = await run(aTill(agent), { trials: 2, concurrency: 1 });
    expect(statuses).toEqual([410]);
    await expect(post(urls[1] ?? '', '{}')).rejects.toThrow('fetch failed');
    expect(shown(report)[0]?.failures[0]?.record?.calls).toEqual([]);
  });

  test('are refused to an agent that goes on when its time is up', async () => {
    let late: Promise<number> | null = null;
    const agent = await anAgent(async ({ tools }) => {
      late = new Promise((resolve) => setTimeout(resolve, 600)).then(async () => {
        return post(tools, '{}').then(
          ({ status }) => status,
          () => 410,
        );
      });
      await late;
      return 'Thank you.';
    });
    const report = await run(aTill(agent), { trials: 1, timeoutMs: 200 });
    expect(await late).toBe(410);
    expect(shown(report)[0]?.failures[0]?.record).toMatchObject({ ending: { status: 'timed_out' }, calls: [] });
  });

  test('break the trial where the world is wrong, whatever the agent makes of it', async () => {
    const agent = await anAgent(async ({ tools }) => {
      await pay(tools, { cents: 1 });
      return 'Thank you.';
    });
    const file = aTill(agent, { step: '{ compute = "n", value = "{{args.cents}}", plus = "much" }' });
    const text = readFileSync(path.join(cwd, file), 'utf8').replace(
      /gold = .*\n/,
      'expected = { status = "completed" }\n',
    );
    writeFileSync(path.join(cwd, file), text);
    const report = await run(file, { trials: 2 });
    expect(shown(report)).toMatchObject([{ trials: { broken: 2 } }]);
  });

  test('are told a program by a variable', async () => {
    const program = `const { PASSK_TOOLS_URL: url } = process.env;
const message = await new Response(process.stdin).text();
if (!message.includes('12')) { console.log('Which amount?'); process.exit(); }
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', arguments: { cents: 1200 } } };
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const { result } = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) })).json();
console.log('Thank you. ' + result.content[0].text);
`;
    writeFileSync(path.join(cwd, 'till.mjs'), program);
    const command = `command = ["${process.execPath}", "till.mjs"]\ntools = "mcp"\nstateless = true`;
    const report = await run(aTill(`[[agents]]\nname = "mine"\n${command}`), {
      permissions: { run: [process.execPath] },
    });
    expect(shown(report)).toMatchObject([{ trials: { passed: 2 } }]);
  });
});

/** Frameworks in Python, whose client of MCP nobody here wrote. */
const PEERS = [
  {
    name: 'Pydantic AI',
    peer: 'pydantic-ai',
    folder: 'python-pydantic-ai',
    module: 'pydantic_till',
    given: '"message": "{prompt}"',
    // It tells none, so that nobody knows them.
    tokens: null,
  },
  // Of an answer its last message tells the tokens.
  {
    name: 'LangChain',
    peer: 'python-langchain',
    folder: 'python-langchain',
    module: 'langchain_till',
    given: '"messages": {messages}',
    tokens: 24,
  },
];

describe.each(PEERS)('agents on $name', ({ peer, folder, module, given, tokens }) => {
  const python = fileURLToPath(new URL(`../../.passk/${folder}/bin/python3`, import.meta.url));
  const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes(peer);

  test.skipIf(!existsSync(python) && !required)('get their planted verdicts', async () => {
    const fixture = new URL(`./fixtures/${module}.py`, import.meta.url);
    writeFileSync(path.join(cwd, `${module}.py`), readFileSync(fixture));
    const agents = ['sound', 'sloppy'].map(
      (name) =>
        `[[agents]]\nname = "${name}"\ntype = "python"\nendpoint = "${module}:${name}"\nconcurrency = 1\nstateless = true
request_template = '{${given}, "tools": "{tools_url}"}'`,
    );
    const report = await run(aTill(agents.join('\n')), { trials: 2, permissions: { run: [python] } });
    expect(shown(report)).toMatchObject([
      { trials: { passed: 2 }, cost: { mean: { llmTokens: tokens } } },
      { trials: { failed: 2, broken: 0 } },
    ]);
    expect(JSON.stringify(report.scenarios)).toContain('got paid.0 12 in place of 1200');
  });
});
