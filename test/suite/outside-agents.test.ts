import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import {
  loadSuite,
  mergeShards,
  type PasskError,
  printError,
  renderReport,
  renderTrace,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { anHttpServer, aRawServer } from '../effects/granted/an-http-server.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-outside-agents-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const hasPython = existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3');
const skipsPython = !hasPython && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('python');

interface Message {
  readonly role: string;
  readonly content: string;
}

let count = 0;

/** A file of one task in which a table is booked for the day that the agent has to ask for. */
function aFile(agent: string, { head = '', session = '', user = '' } = {}): string {
  const file = `a${count++}.toml`;
  const text = `name = "desk"
min_pass_rate = 0
${head}
[session]
${session}
[[agents]]
name = "mine"
${agent}
[[tasks]]
name = "book"
[tasks.expected]
says = ["Booked for Friday."]
[tasks.user]
opening = "Book a table."
known = { day = { value = "Friday", asked = ["Which day"], says = "{{value}}." } }
${user}
`;
  writeFileSync(path.join(cwd, file), text);
  return file;
}

function run(file: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({ cwd, paths: [file], workers: 0, permissions: { net: ['127.0.0.1'] }, ...options });
}

const trials = ({ scenarios }: SuiteReport) =>
  scenarios.map((scenario) => (scenario as { readonly trials: object }).trials);

/** How the first failing trial ended. */
function ending({ scenarios: [scenario] }: SuiteReport) {
  const { failures } = scenario as { failures: readonly { record?: { ending: object; session?: object } }[] };
  return { ...failures[0]?.record?.ending, ...failures[0]?.record?.session };
}

/** Knows nothing but what it is told. */
function replyTo(messages: readonly Message[]): string {
  const day = messages.find(({ role, content }) => role === 'user' && content.includes('Friday'));
  return day === undefined ? 'Which day?' : 'Booked for Friday.';
}

/** A server of chat completions that keeps nothing. */
async function aChat(reply: (messages: readonly Message[]) => string = replyTo) {
  const server = await anHttpServer((_, response) => {
    const { messages } = JSON.parse(server.seen.at(-1)?.body ?? '') as { readonly messages: readonly Message[] };
    const usage = { prompt_tokens: 7, completion_tokens: 3 };
    json(response, { model: 'm-1', choices: [{ message: { content: reply(messages) } }], usage });
  });
  const agent = `endpoint = "${server.origin}/chat"
request_template = '{"model": "m", "messages": {messages}}'
response_path = "choices[0].message.content"`;
  return { agent, server };
}

function json(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

describe('an agent over HTTP, in sessions', () => {
  test('gets the whole conversation with each message, the system text first, and tells what it took', async () => {
    const { agent, server } = await aChat();
    const report = await run(aFile(agent, { session: 'system = "Be kind."' }), { trials: 1 });
    expect(report.scenarios).toMatchObject([{ trials: { passed: 1 } }]);
    expect(server.seen.map(({ body }) => JSON.parse(body))).toEqual([
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Book a table.' },
        ],
      },
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Book a table.' },
          { role: 'assistant', content: 'Which day?' },
          { role: 'user', content: 'Friday.' },
        ],
      },
    ]);
    expect(report.summary.total).toMatchObject({ llmCalls: 2, llmTokens: 20, promptTokens: 14, completionTokens: 6 });
  });

  test('gives the same bytes for any number of workers, and in shards', async () => {
    // Three conversations in ten go wrong, as the seed says of the user's mind.
    const { agent } = await aChat((said) =>
      said.some(({ content }) => content.includes('No.')) ? 'No.' : replyTo(said),
    );
    const file = aFile(agent, { user: 'changes = [{ chance = 0.3, says = "No." }]' });
    const bytes = async (options: RunSuiteOptions) =>
      renderReport(await run(file, { trials: 40, ...options }), { reporter: 'json', timing: false });
    const one = await bytes({ workers: 0 });
    const [counts] = trials(JSON.parse(one) as SuiteReport) as readonly { readonly failed: number }[];
    expect([(counts?.failed ?? 0) > 0, (counts?.failed ?? 40) < 40]).toEqual([true, true]);
    expect(await bytes({ workers: 1, concurrency: 1 })).toBe(one);
    expect(await bytes({ workers: 2, concurrency: 64 })).toBe(one);
    const shared = { cwd, paths: [file], trials: 40, workers: 0, permissions: { net: ['127.0.0.1'] } };
    const shards = await Promise.all([1, 2].map((index) => runShard({ ...shared, shard: { index, count: 2 } })));
    const { report } = await mergeShards(shards.map(({ bytes: part }, at) => ({ name: `${at}.shard`, bytes: part })));
    expect(renderReport(report, { reporter: 'json', timing: false })).toBe(one);
  });

  test.each<[string, (origin: string) => string]>([
    [
      'in the body',
      (origin) => `endpoint = "${origin}/ask"\nrequest_template = '{"q": "{prompt}", "id": "{session}"}'`,
    ],
    ['in a header', (origin) => `endpoint = "${origin}/ask"\nheaders = { x-id = "{session}" }`],
    ['in the address', (origin) => `endpoint = "${origin}/threads/{session}/ask"`],
    ['in the query', (origin) => `endpoint = "${origin}/ask"\nquery_params = { id = "{session}" }`],
  ])('that remembers is told %s which session a message belongs to, many at a time', async (_, agent) => {
    const sessions = new Map<string, string[]>();
    let [now, most] = [0, 0];
    const server = await anHttpServer(async (request, response) => {
      const body = JSON.parse(server.seen.at(-1)?.body ?? '') as { q?: string; input?: string; id?: string };
      const url = new URL(request.url ?? '', 'http://h');
      const inPath = /^\/threads\/([^/]+)/.exec(url.pathname)?.[1];
      const id = String(body.id ?? request.headers['x-id'] ?? url.searchParams.get('id') ?? inPath);
      const said = sessions.get(id) ?? [];
      sessions.set(id, [...said, body.q ?? body.input ?? '']);
      most = Math.max(most, ++now);
      await sleep(10);
      now--;
      json(response, { reply: said.length === 0 ? 'Which day?' : `Booked for ${body.q ?? body.input}` });
    });
    const report = await run(aFile(agent(server.origin)), { trials: 20, concurrency: 8 });
    expect(trials(report)).toMatchObject([{ passed: 20 }]);
    expect([...sessions.values()]).toEqual(Array.from({ length: 20 }, () => ['Book a table.', 'Friday.']));
    expect([most > 1, most <= 8]).toEqual([true, true]);
  });

  test('that is told neither has one session at a time, and is brought back before each', async () => {
    let said: string[] = [];
    const log: string[] = [];
    const server = await anHttpServer((request, response) => {
      const { input = '' } = JSON.parse(server.seen.at(-1)?.body || '{}') as { input?: string };
      log.push(request.url === '/reset' ? 'reset' : input);
      said = request.url === '/reset' ? [] : [...said, input];
      json(response, { output: said.length === 2 ? 'Booked for Friday.' : 'Which day?' });
    });
    const report = await run(aFile(`endpoint = "${server.origin}/ask"\nreset_endpoint = "/reset"`), { trials: 3 });
    expect(trials(report)).toMatchObject([{ passed: 3 }]);
    expect(log).toEqual(Array.from({ length: 3 }, () => ['reset', 'Book a table.', 'Friday.']).flat());
  });

  test('holds at most as many sessions as the file allows', async () => {
    let [now, most] = [0, 0];
    const server = await anHttpServer(async (_, response) => {
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
      json(response, { output: 'Booked for Friday.' });
    });
    await run(aFile(`endpoint = "${server.origin}"\nstateless = true\nconcurrency = 3`), { trials: 30 });
    expect(most).toBe(3);
  });

  test.each<[string, Parameters<typeof aRawServer>[0] | Parameters<typeof anHttpServer>[0], object]>([
    [
      'answers with an error',
      (_: unknown, response: ServerResponse) => void response.writeHead(500).end('no'),
      { status: 'errored', reason: 'It gave no answer: HTTP 500: no' },
    ],
    [
      'answers a hundred megabytes',
      (_: unknown, response: ServerResponse) => {
        response.on('error', () => undefined);
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 'x')));
        };
        response.on('drain', more);
        more();
      },
      { status: 'errored', reason: expect.stringContaining('the response body exceeds its limit') },
    ],
    [
      'answers with what no trial can hold',
      (_: unknown, response: ServerResponse) => void response.end('\n'.repeat(600_000)),
      { status: 'errored', reason: expect.stringContaining('more than a trial can hold') },
    ],
    [
      'never answers',
      () => undefined,
      { status: 'errored', reason: expect.stringContaining('timed out after 200 ms') },
    ],
    [
      'never stops asking',
      (_: unknown, response: ServerResponse) => void response.end('Why?'),
      { status: 'completed', end: 'user_gave_up' },
    ],
  ])('that %s fails its trials, each for its own reason', async (what, listener, expected) => {
    const server = await anHttpServer(listener as Parameters<typeof anHttpServer>[0]);
    // What is answered is read to its end, however busy the machine is.
    const timeoutMs = what === 'never answers' ? 200 : 60_000;
    const agent = `endpoint = "${server.origin}"\nstateless = true\ntimeout_ms = ${timeoutMs}\nretries = 0`;
    const report = await run(aFile(agent), { trials: 2 });
    expect(trials(report)).toMatchObject([{ failed: 2, broken: 0 }]);
    expect(ending(report)).toMatchObject(expected);
  });

  test('that closes the connection fails its trials', async () => {
    const { origin } = await aRawServer((socket) => socket.destroy());
    const report = await run(aFile(`endpoint = "${origin}"\nstateless = true\nretries = 0`), { trials: 2 });
    expect(trials(report)).toMatchObject([{ failed: 2, broken: 0 }]);
    expect(ending(report)).toMatchObject({ status: 'errored', reason: expect.stringMatching(/^It gave no answer: /) });
  });

  test('that is not there breaks its trials, is asked once, and is told of', async () => {
    const server = await anHttpServer(() => undefined);
    server.stop();
    const agent = `endpoint = "http://127.0.0.1:${server.port}"\nstateless = true\nretries = 0\nconcurrency = 1`;
    const report = await run(aFile(agent), { trials: 3 });
    expect(trials(report)).toMatchObject([{ failed: 0, broken: 3 }]);
    expect(JSON.stringify(report.scenarios)).toContain('Nobody is there to answer');
    // Nobody told what its models took, which is not nothing.
    expect(report.summary.total).toMatchObject({ llmCalls: null, llmTokens: null });
  });

  test('that takes too long over all has its session ended', async () => {
    const { agent } = await aChat((messages) => (messages.length > 1 ? 'Booked for Friday.' : 'Which day?'));
    const slow = await anHttpServer(async (_, response) => {
      await sleep(400);
      json(response, { output: 'Which day?' });
    });
    const report = await run(aFile(agent.replace(/http:[^"]*/, slow.origin), { head: 'timeout_ms = 100' }), {
      trials: 1,
    });
    expect(ending(report)).toMatchObject({ status: 'timed_out', end: 'timeout' });
  });

  test('is not reached without a grant', async () => {
    const { agent } = await aChat();
    const file = aFile(agent);
    await expect(run(file, { permissions: {} })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--allow-net=127.0.0.1'),
    });
  });

  test('names every place of what keeps it from being asked, before the first trial', async () => {
    const file = aFile(`endpoint = "http://elsewhere.test/ask"
headers = { a = "$PASSK_NOT_GRANTED", b = "$PASSK_NOT_SET" }
[[agents]]
name = "program"
command = ["no-such-program"]
stateless = true
[[agents]]
name = "other"
command = ["no-such-program", "x"]
stateless = true
[[agents]]
name = "model"
tools = "functions"
endpoint = "http://127.0.0.1:9/v1"
model = "m"
api_key_env = "PASSK_NOT_SET"`);
    const permissions = { env: ['PASSK_NOT_SET'], net: ['127.0.0.1'] };
    const refused: PasskError = await run(file, { permissions }).catch((error) => error);
    const places = refused.issues.map(({ message, at }) => [at?.line, at?.column, message]);
    expect(places.sort(([one], [other]) => Number(one) - Number(other))).toEqual([
      [8, 12, expect.stringContaining('--allow-net=elsewhere.test')],
      [9, 17, 'The secret PASSK_NOT_GRANTED needs --allow-env=PASSK_NOT_GRANTED.'],
      [9, 43, "The agent's secret `PASSK_NOT_SET` is not set or blank."],
      [12, 11, expect.stringContaining('There is no program no-such-program')],
      [16, 11, expect.stringContaining('There is no program no-such-program')],
      [23, 15, expect.stringContaining('takes its key from the environment variable PASSK_NOT_SET')],
    ]);
    const printed = printError(refused, { color: false });
    expect(printed).toContain(`  --> ${path.basename(file)}:12:11\n`);
    expect(printed).toMatch(/passk: 6 problems; nothing was run\.\n$/);
    const planned: PasskError = await run(file, { permissions: {} }).catch((error) => error);
    expect(planned).toMatchObject({
      message:
        'An agent of FILE cannot be asked: A request to 127.0.0.1:9 needs --allow-net=127.0.0.1:9. Its key is in PASSK_NOT_SET, which needs --allow-env=PASSK_NOT_SET.'.replace(
          'FILE',
          path.basename(file),
        ),
      at: { line: 21, column: 12 },
    });
  });

  test('says how many answers had nothing where response_path leads', async () => {
    const { agent } = await aChat();
    const report = await run(aFile(agent.replace('choices[0].message.content', 'choices[0].text')), { trials: 2 });
    expect(report.notices.map(({ code, message }) => [code, message])).toContainEqual([
      'agent_astray',
      expect.stringMatching(/(\d+) of \1 answers of its agent had nothing where response_path leads/),
    ]);
  });

  test('is shown by a trace', async () => {
    const { agent } = await aChat();
    const permissions = { net: ['127.0.0.1'] };
    const shown = renderTrace(await traceTrial({ cwd, file: aFile(agent), part: 'desk: book', trial: 0, permissions }));
    expect(shown).toContain('Which day?');
    expect(shown).toContain('Booked for Friday.');
  });
});

describe('an agent that passk starts, in sessions', () => {
  const PROGRAM = `let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { messages, id } = JSON.parse(text);
  if (id !== process.env.PASSK_SESSION) process.exit(3);
  const text_ = messages.length === 1 ? 'Which day?' : 'Booked for ' + messages[2].content;
  console.log(JSON.stringify({ say: text_, usage: { input_tokens: 5, output_tokens: 1 } }));
});`;

  test('as a program reads on its standard input what its template makes, and prints JSON where a path leads into it', async () => {
    writeFileSync(path.join(cwd, 'agent.mjs'), PROGRAM);
    const file = aFile(`command = ["${process.execPath}", "agent.mjs"]
request_template = '{"messages": {messages}, "id": "{session}"}'
response_path = "say"`);
    const report = await run(file, { trials: 3, permissions: { run: [process.execPath] } });
    expect(trials(report)).toMatchObject([{ passed: 3 }]);
    expect(report.summary.total).toMatchObject({ llmTokens: 36 });
  });

  test.skipIf(skipsPython)('in Python is called with the data that its template makes', async () => {
    writeFileSync(
      path.join(cwd, 'desk_agent.py'),
      `def answer(given):
    said = given["messages"]
    text = "Which day?" if len(said) == 1 else "Booked for " + said[-1]["content"]
    return {"text": text, "usage": {"prompt_tokens": 4, "completion_tokens": 2}, "model": "m-2"}

class Graph:
    def invoke(self, given):
        messages = given["messages"]
        text = "Which day?" if len(messages) == 1 else "Booked for " + messages[-1]["content"]
        class Message:
            type = "ai"
            content = text
            usage_metadata = {"input_tokens": 8, "output_tokens": 2}
            response_metadata = {"model_name": "m-3"}
        class Asking(Message):
            content = ""
        return {"messages": messages + [Asking(), Message()]}

graph = Graph()
`,
    );
    const template = `request_template = '{"messages": {messages}}'`;
    const permissions = { run: ['python3'] };
    const plain = `type = "python"\nendpoint = "desk_agent:answer"\n${template}\nconcurrency = 2`;
    const one = await run(aFile(plain), { trials: 4, permissions });
    expect(trials(one)).toMatchObject([{ passed: 4 }]);
    const chain = `type = "langchain"\nendpoint = "desk_agent:graph"\n${template}\nconcurrency = 2`;
    const other = await run(aFile(chain), { trials: 4, permissions });
    expect(trials(other)).toMatchObject([{ passed: 4 }]);
    const totals = [one, other].map(({ summary: { total } }) => [total.llmCalls, total.llmTokens]);
    // The graph asks its model twice for each answer.
    expect(totals).toEqual([
      [8, 48],
      [16, 160],
    ]);
  });
});

test.each<[string, string, readonly string[]]>([
  [
    'is told nothing of sessions',
    'endpoint = "http://127.0.0.1:1"',
    [
      'warning: The agent is not told what was said before ({messages}), nor which session it is in ({session}), and nothing resets it.',
    ],
  ],
  [
    'has a limit that says nothing',
    'endpoint = "http://127.0.0.1:1"\nreset_endpoint = "/r"\nconcurrency = 3',
    ['warning: "agents.concurrency" has no effect: an agent that may keep state has one session at a time.'],
  ],
  [
    'is reset for nothing',
    'endpoint = "http://127.0.0.1:1"\nreset_endpoint = "/r"\nstateless = true',
    ['warning: "agents.reset_endpoint" has no effect: an agent that can tell sessions apart is never reset.'],
  ],
  [
    'has places that are nearly those of a session',
    `endpoint = "http://127.0.0.1:1"\nstateless = true\nrequest_template = '{"m": {mesages}, "s": "{sesion}", "city": "{city}"}'`,
    [
      'warning: {mesages} stands for a line "mesages: …" of the message.',
      'warning: {sesion} stands for a line "sesion: …" of the message.',
    ],
  ],
  [
    'is at no address',
    'endpoint = "mine:answer"',
    [
      'error: "agents.endpoint" is no URL: "mine:answer".',
      'warning: The agent is not told what was said before ({messages}), nor which session it is in ({session}), and nothing resets it.',
    ],
  ],
  [
    'names no program',
    'command = []\nstateless = true',
    ['error: The agent needs a program: "agents.command" names it and its arguments.'],
  ],
  [
    'is a module with the keys of another kind',
    'module = "absent.mjs"\nretries = 1',
    [
      'error: "agents.retries" has no effect: a module is run in passk\'s own workers.',
      'error: There is no module "absent.mjs".',
    ],
  ],
  [
    'is nothing',
    '',
    [
      'error: This table needs the key "endpoint".',
      'warning: The agent is not told what was said before ({messages}), nor which session it is in ({session}), and nothing resets it.',
    ],
  ],
])('an agent that %s is told of when the file is loaded', async (_, agent, expected) => {
  const { issues } = await loadSuite({ cwd, paths: [aFile(agent)] });
  expect(issues.map(({ severity, message }) => `${severity}: ${message}`)).toEqual(expected);
});
