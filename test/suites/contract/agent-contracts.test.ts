import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../src/types/agent.ts';
import { contractsAmong, issuesOf, suiteIn } from './contracts-in.ts';

const contractAbout = (agent: string): string => `
golden_prompts = ["One?", "Two?"]

[contract]
name = "Support"
trials = 3

[[contract.invariants]]
id = "steady"
type = "behavior_unchanged"

[[contract.invariants]]
id = "no-leak"
type = "excludes_pattern"
patterns = ["secret"]
probes = ["Show it."]

[[contract.invariants]]
id = "still-no-leak"
type = "excludes_pii"
probes = ["Show it again."]
when = "llm_faults_active"

[[contract.chaos_matrix]]
name = "calm"

[[contract.chaos_matrix]]
name = "dull"
llm_faults = [{ mode = "empty" }]

[agent]
${agent}
`;

async function agentOf(lines: string, files: Readonly<Record<string, string>> = {}): Promise<Agent | undefined> {
  const { suite } = await suiteIn({ 'in/c.toml': contractAbout(lines), ...files });
  expect(suite.issues).toEqual([]);
  const subject = contractsAmong(suite)[0]?.subject;
  return subject?.kind === 'agent' ? subject.agent : undefined;
}

const tellsOf = (lines: string): Promise<readonly string[]> => issuesOf(contractAbout(lines));

describe('a contract over an agent', () => {
  test('is planned as one scenario for each column and list of prompts, which asks the agent', async () => {
    const { suite } = await suiteIn({ 'c.toml': contractAbout('endpoint = "http://127.0.0.1:9/ask"') });
    expect(suite.issues).toEqual([]);
    expect(suite.files).toEqual(['c.toml']);
    const plan = suite.scenarios.map(({ name, trials, subject, expected, part, minPassRate }) => ({
      name,
      trials,
      minPassRate,
      asked: subject.kind === 'agent' ? [subject.prompts, subject.baselines] : null,
      ids: expected.invariants?.list.map(({ id }) => id),
      part,
    }));
    const cell = (column: string, suffix: string, ids: readonly string[], prompts: readonly string[]): object => ({
      name: `Support: ${column}${suffix}`,
      trials: 3,
      minPassRate: null,
      asked: [prompts, ids.includes('steady')],
      ids,
      part: { kind: 'contract', of: 'Support', column, prompts, at: 0 },
    });
    expect(plan).toEqual([
      cell('calm', '', ['steady'], ['One?', 'Two?']),
      cell('calm', ', probes 1', ['no-leak'], ['Show it.']),
      cell('dull', '', ['steady'], ['One?', 'Two?']),
      cell('dull', ', probes 1', ['no-leak'], ['Show it.']),
      cell('dull', ', probes 2', ['still-no-leak'], ['Show it again.']),
    ]);
  });

  test('whose rules apply nowhere is planned as nothing, and is not forgotten', async () => {
    const text = contractAbout('endpoint = "http://127.0.0.1:9/ask"')
      .replaceAll(/^(type = "(?:behavior_unchanged|excludes_pattern)")$/gm, '$1\nwhen = "tool_faults_active"')
      .replace('name = "dull"\nllm_faults', 'name = "dull"\ncontext_attacks = [{ type = "overflow" }]\n# ');
    const { suite } = await suiteIn({ 'c.toml': text });
    expect([suite.scenarios, suite.loaded, contractsAmong(suite).map(({ name }) => name)]).toEqual([
      [],
      [],
      ['Support'],
    ]);
  });

  test('may be a program, with a proxy for its own calls', async () => {
    expect(
      await agentOf(
        'command = ["node", "agent.js"]\ntimeout_ms = 500\nretries = 0\nisolation = "trial"\nproxy_port = 0',
      ),
    ).toEqual({
      target: { kind: 'command', command: ['node', 'agent.js'] },
      timeoutMs: 500,
      retries: 0,
      reset: null,
      atOnce: null,
      isolation: 'trial',
      proxy: { port: 0, upstream: null, tools: {} },
    });
  });

  test('may be a JavaScript module beside it, which resets itself', async () => {
    const files = { 'in/agents/a.js': 'export const ask = 1;\n' };
    const agent = await agentOf('module = "agents/a.js"\nexport = "ask"\nreset_function = "reset"', files);
    expect([agent?.target, agent?.reset]).toEqual([
      { kind: 'module', file: 'in/agents/a.js', exported: 'ask', inputKey: null },
      { kind: 'function', module: 'agents/a.js', attribute: 'reset' },
    ]);
  });

  test('may be a Python callable or a LangChain runnable, written as in the reference', async () => {
    const target = { kind: 'python', module: 'pkg.agent', attribute: 'ask', langchain: false, inputKey: null };
    expect((await agentOf('type = "python"\nendpoint = "pkg.agent:ask"'))?.target).toEqual(target);
    expect((await agentOf('python = "pkg.agent:ask"'))?.target).toEqual(target);
    const chain = await agentOf('type = "langchain"\nendpoint = "pkg.agent:ask"\nreset_function = "pkg.agent:reset"');
    expect([chain?.target, chain?.reset]).toEqual([
      { ...target, langchain: true },
      { kind: 'function', module: 'pkg.agent', attribute: 'reset' },
    ]);
  });

  test('may be reset by a path of its own host', async () => {
    const agent = await agentOf('endpoint = "https://${HOST}:80/v1/ask?x=1"\nreset_endpoint = "/reset"');
    expect(agent?.reset).toEqual({ kind: 'http', url: 'https://${HOST}:80/reset' });
  });

  test.each<[string, string]>([
    ['', 'missing_key 31:2-7 This table needs the key "endpoint".'],
    ['endpoint = "localhost:8000/ask"', 'bad_value 32:12-32 "agent.endpoint" is no URL: "localhost:8000/ask".'],
    ['endpoint = "http://x"\nmethod = "FETCH"', 'not_allowed 33:10-17 "agent.method" cannot be "FETCH".'],
    ['endpoint = "http://x"\ntimeout = 30', 'out_of_range 33:11-13 "agent.timeout" must be at least 1000'],
    ['endpoint = "http://x"\ntimeout = 2000\ntimeout_ms = 3', 'conflicting_keys 34:1-11 The agent has both timeout'],
    ['type = "python"\nendpoint = "agent"', 'bad_value 33:12-19 "agent.endpoint" names no callable: "agent".'],
    ['command = []', 'missing_key 32:11-13 The agent needs a program'],
    ['module = "none.js"', 'file_missing 32:10-19 There is no module "none.js".'],
    ['type = "ftp"\nendpoint = "http://x"', 'not_allowed 32:8-13 "agent.type" cannot be "ftp".'],
    ['command = ["a"]\nreset_endpoint = "/reset"', 'bad_value 33:18-26 "agent.reset_endpoint" is no URL: "/reset".'],
    [
      'endpoint = "http://x"\nheaders = { authorization = "Bearer abcdefgh1234", b = "$TOKEN", x-api-key = "${KEY}" }',
      'literal_secret 33:29-50 "agent.headers.authorization" holds a secret as it stands.',
    ],
    ['endpoint = "http://x"\nquery_params = { api_key = "opensesame" }', 'literal_secret 33:28-40 "agent.query_params'],
    ['command = ["a", "--key", "sk-abcdefghijklmnopqrstuvwx"]', 'literal_secret 32:26-55 "agent.command" holds'],
    ['endpoint = "http://x"\nendpiont = 1', 'unknown_key 33:1-9 "agent.endpiont" is not a known key.'],
  ])('that cannot be asked as it is written is told: %j', async (lines, start) => {
    const [first = '', ...others] = await tellsOf(lines);
    expect([first.slice(0, start.length), others]).toEqual([start, []]);
  });

  test('binds one subject, and binds one at all', async () => {
    const text = contractAbout('endpoint = "http://x"');
    expect(await issuesOf(`workflow = "w.toml"\n${text}`)).toEqual([
      'conflicting_keys 32:2-7 A contract binds one subject, and this file has both agent and workflow. ' +
        '[Keep one of them, and write a second file for the other.]',
      expect.stringMatching(/^missing_workflow 1:1-9 There is no workflow file "w\.toml"/),
    ]);
    expect(await issuesOf(text.slice(0, text.indexOf('[agent]')))).toEqual([
      'missing_key 4:2-10 The contract binds nobody: the file has neither agent nor workflow. ' +
        '[Describe who must obey with [agent], or with [workflow] as in a scenario.]',
    ]);
  });

  test('is asked twice what stands there twice, and a warning says so', async () => {
    const text = contractAbout('endpoint = "http://x"').replace('["One?", "Two?"]', '["One?", "Two?", "One?"]');
    expect(await issuesOf(text)).toEqual([
      'repeated_prompt 2:35-41 This prompt stands above already: it is asked again, and counts again. ' +
        '[Leave it out. To ask more often, raise trials.]',
    ]);
  });

  test('has to be asked something', async () => {
    const text = contractAbout('endpoint = "http://x"').replace('["One?", "Two?"]', '[]');
    expect(await issuesOf(text)).toEqual([
      'missing_key 2:18-20 The agent is asked nothing: the file has no golden_prompts. ' +
        '[List what it is asked in golden_prompts, or in prompts of the contract.]',
    ]);
  });
});
