import { describe, expect, test } from 'vitest';
import { placed } from '../workflow/check-text.ts';
import { aScenario, issuesOf, loadText, ONE_NODE } from './in-folder.ts';

const SENDS = `name = "w"
start_nodes = [{ name = "main", source = "manual" }]
nodes = [{ id = "send", type = "http_request", method = "POST", url_from = "trigger.url" }]
`;

function timed(triggers: string): string {
  return `name = "w"
start_nodes = [{ name = "main", source = "event" }]
triggers = [${triggers}]
nodes = [{ id = "done", type = "terminate" }]
`;
}

const EXPECTED = '[expected]\nstatus = "completed"\n';

test('requests, sequences and denials are read with their bounds', () => {
  const { scenario, issues } = loadText(
    aScenario(
      '',
      `[[world.http]]
url = "*"
[expected]
sequence = [{ http = { method = "post" } }, { process = { args_contain = ["-x"] } }, { mcp = { resource = "r:1" } }]
reason_equals = "r"
reason_matches = "^r"
respond = "none"
final = { equals_json = "null" }
http = [{ url = "https://a.test/*", query = { n = 1 }, body_json = { a = 1 }, count = 2 }, { node = "send", at_most = 0 }]
mcp = [{ tool = "t", args = { matches = "(" } }]
denials = [{ contains = "x", at_least = 2 }]
`,
      SENDS,
    ),
  );
  expect(placed(issues)).toEqual([]);
  const any = { methods: [], headers: {}, body: {} };
  expect(scenario.expected).toMatchObject({
    reasonEquals: 'r',
    reasonMatches: '^r',
    respond: 'none',
    values: [{ test: { kind: 'equals', value: null } }],
    requests: [
      {
        port: 'http',
        match: { ...any, url: 'https://a.test/*', query: { n: ['1'] }, body: { json: { a: 1 } } },
        count: { atLeast: 2, atMost: 2 },
      },
      { port: 'http', node: 'send', match: any, count: { atLeast: 0, atMost: 0 } },
      { port: 'mcp', match: { tool: 't', args: { matches: '(' } }, count: { atLeast: 1, atMost: null } },
    ],
    sequence: [
      { port: 'http', match: { ...any, methods: ['POST'] } },
      { port: 'process', match: { argsContain: ['-x'] } },
      { port: 'mcp', match: { resource: 'r:1' } },
    ],
    denials: [{ contains: 'x', count: { atLeast: 2, atMost: null } }],
  });
});

test('what can never fit or says nothing is told where it stands', () => {
  const text = aScenario(
    '',
    `[[world.http]]
url = "*"
request = { headers = { a = { matches = "(" } }, body_matches = "[" }
[expected]
reason_matches = "*"
final = { equals_json = "nul" }
[[expected.http]]
node = "sent"
url_matches = "("
query = { a = [{ matches = "(" }] }
count = 1
at_most = 2
[[expected.processes]]
args = ["x", { matches = "(" }]
at_least = 3
at_most = 2
[[expected.denials]]
at_least = 0
`,
    SENDS,
  );
  expect(placed(issuesOf(text))).toMatchInlineSnapshot(`
    [
      "bad_pattern 13:18",
      "bad_pattern 17:15",
      "bad_pattern 18:28",
      "bad_pattern 22:26",
      "bad_pattern 11:65",
      "bad_pattern 11:41",
      "conflicting_keys 19:1",
      "?impossible_expectation 23:12",
      "?asserts_nothing 26:12",
      "bad_json 14:25",
      "unknown_node 16:8",
    ]
  `);
});

test('an unknown key in a request gets a suggestion', () => {
  const [issue] = issuesOf(aScenario('', '[[world.http]]\nurl = "*"\n[[expected.http]]\nmetod = "GET"\n', SENDS));
  expect(issue).toMatchObject({ code: 'unknown_key', hint: expect.stringContaining('"method"') });
});

test('mocks that no node can ask for are told', () => {
  const mocks = `[[world.http]]
method = ["GET", "PUT"]
url = "*"
[[world.http]]
url = "*"
[[world.processes]]
command = "/bin/x"
[[world.mcp]]
name = "m"
tools.t = { content = 1 }
reads = [{ uri = "r:1" }]
`;
  expect(issuesOf(aScenario('', EXPECTED + mocks, SENDS)).map(({ message }) => message)).toEqual([
    'No node of this scenario sends GET or PUT requests, so this mock is never used.',
    'No node of this scenario runs /bin/x, so this mock is never used.',
    'No node of this scenario calls the tool "t", so this mock is never used.',
    'No node of this scenario reads resources of this server, so this mock is never used.',
  ]);
});

describe('a trigger', () => {
  const nightly = '{ type = "cron", schedule = "0 2 * * *", start_node = "main" }';
  const inbox = '{ type = "fs_watch", path = "/inbox", start_node = "main", events = ["created"] }';

  function load(trigger: string, triggers: string) {
    const { scenario, issues } = loadText(aScenario('', `${EXPECTED}[trigger]\n${trigger}\n`, timed(triggers)));
    return { issues: placed(issues), trigger: scenario.subject.trigger };
  }

  test('by schedule has the declared schedule and its moment', () => {
    const payload = 'payload = { scheduled_at = 2024-05-01T02:00:00+02:00, extra = 1 }';
    expect(load(`kind = "cron"\n${payload}`, nightly)).toEqual({
      issues: [],
      trigger: {
        kind: 'cron',
        start: 'main',
        payload: { schedule: '0 2 * * *', scheduled_at: '2024-05-01T02:00:00+02:00', extra: 1 },
      },
    });
  });

  test('by a change of files has the path and the only declared event', () => {
    expect(load('kind = "fs_watch"\npayload = { path = "/inbox/a.txt" }', inbox)).toEqual({
      issues: [],
      trigger: { kind: 'fs_watch', start: 'main', payload: { path: '/inbox/a.txt', event: 'created' } },
    });
  });

  test('that nothing declared would fire is a warning', () => {
    const at = 'scheduled_at = 2024-05-01T02:00:00Z';
    expect([
      load(`kind = "cron"\npayload = { ${at}, schedule = "1 2 * * *" }`, nightly).issues,
      load(`kind = "cron"\npayload = { ${at}, schedule = "0 2 * * *" }`, inbox).issues,
      load('kind = "fs_watch"\npayload = { path = "/inbox/sub/a.txt" }', inbox).issues,
      load('kind = "fs_watch"\npayload = { path = "/inbox/a.txt", event = "removed" }', inbox).issues,
      load(
        'kind = "fs_watch"\npayload = { path = "/inbox/sub/a", event = "x" }',
        '{ type = "fs_watch", path = "/inbox/", start_node = "main", recursive = true }',
      ).issues,
    ]).toEqual([...Array.from({ length: 4 }, () => [expect.stringContaining('?never_triggered')]), []]);
  });

  test.each([
    ['kind = "cron"', 'schedule, scheduled_at'],
    ['kind = "cron"\npayload = { schedule = "0 2 * * *", scheduled_at = 2024-05-01T02:00:00 }', 'scheduled_at'],
    ['kind = "cron"\npayload = { schedule = "0 2 * * *", scheduled_at = "2024-02-31T02:00:00Z" }', 'scheduled_at'],
    ['kind = "fs_watch"\npayload = "/inbox"', 'path, event'],
  ])('%j lacks %s', (trigger, missing) => {
    const issues = issuesOf(aScenario('', `${EXPECTED}[trigger]\n${trigger}\n`, timed('')));
    const wrong = issues.filter(({ code }) => code === 'bad_trigger_payload');
    expect(wrong.map(({ message }) => /payload\.(\w+)/.exec(message)?.[1]).join(', ')).toBe(missing);
  });

  test('of another kind takes any payload', () => {
    const { scenario } = loadText(aScenario('', `${EXPECTED}[trigger]\npayload = "x"\n`, ONE_NODE));
    expect(scenario.subject.trigger).toEqual({ kind: 'manual', start: 'main', payload: 'x' });
  });
});
