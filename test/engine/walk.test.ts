import { describe, expect, test } from 'vitest';
import { bitOf } from '../../src/engine/note-answer.ts';
import { COUNTER } from '../../src/engine/trial-state.ts';
import { waitedFor } from '../../src/engine/waited-for.ts';
import { STOPS } from '../../src/types/trial.ts';
import type { Policy } from '../../src/types/policy.ts';
import type { Outcome } from '../../src/types/trial.ts';
import { aProcessMock, aToolMock } from '../effects/a-mock.ts';
import { aProgram, aTally, aTrial, aTurn, type TrialParts } from './a-trial.ts';

/** How a trial ended, without the counters. */
async function endOf(parts: TrialParts): Promise<Partial<Outcome>> {
  const { status, stoppedBy, lastNode, path, reason, finalValue } = await aTrial(parts);
  return { status, stoppedBy, lastNode, path, reason, finalValue };
}

const slowTool = { world: { processes: [aProcessMock({ command: '/slow' }, { delayMs: 3000 })] } };

describe('edges', () => {
  test('a loop of three iterations evaluates its condition four times, and completes there when spent', async () => {
    expect(
      await endOf({
        nodes: [['check', 'condition', { expr: 'trigger.go' }]],
        edges: ['check -true-> check *3'],
        payload: { go: true },
      }),
    ).toEqual({
      status: 'completed',
      stoppedBy: 'loop_spent',
      lastNode: 'check',
      path: ['check', 'check', 'check', 'check'],
      reason: null,
      finalValue: { value: true },
    });
  });

  test('two edges that answer the same branch are an error of the workflow, counted nowhere', async () => {
    const { reason, stoppedBy, counters } = await aTrial({
      nodes: [
        ['check', 'condition', { expr: 'trigger' }],
        ['a', 'merge'],
        ['b', 'merge'],
      ],
      edges: ['check -true-> a', 'check -true-> b'],
    });
    expect(reason).toBe(
      'workflow `flow`: node `check` has 2 matching out-edges for branch `Some("true")`; workflow graphs must select exactly one',
    );
    expect([stoppedBy, counters.nodeExecutions, counters.nodeFailures, counters.workflowErrored]).toEqual([
      'error',
      1,
      0,
      0,
    ]);
  });

  test('a pause with two ways on is that error too, whatever the human says', async () => {
    const nodes = [
      ['wait', 'pause_for_approval'],
      ['a', 'merge'],
      ['b', 'merge'],
    ] as const;
    const { status, reason, elapsedUs } = await aTrial({
      nodes,
      edges: ['wait -> a', 'wait -> b'],
      world: { approvals: { wait: { decision: 'resume', afterMs: 5 } } },
    });
    const text =
      'workflow `flow`: node `wait` has 2 matching out-edges for branch `None`; workflow graphs must select exactly one';
    expect([status, reason, elapsedUs]).toEqual(['errored', text, 0]);
    expect((await aTrial({ nodes, edges: ['wait -> a', 'wait -> b'] })).reason).toBe(text);
  });

  test('a label that no edge answers completes as a dead end with the output of the node', async () => {
    expect(
      await endOf({
        nodes: [
          ['route', 'switch', { expr: 'trigger.to' }],
          ['a', 'merge'],
        ],
        edges: ['route -a-> a'],
        payload: { to: 'b' },
      }),
    ).toEqual({
      status: 'completed',
      stoppedBy: 'dead_end',
      lastNode: 'route',
      path: ['route'],
      reason: null,
      finalValue: { value: 'b' },
    });
  });
});

describe('bounds', () => {
  test('a workflow that calls itself runs nine call nodes before the tenth is too deep', async () => {
    const self = { nodes: [['again', 'call', { workflow: 'self' }]] } as const;
    const { reason, counters } = await aTrial({ nodes: [['again', 'call', { workflow: 'self' }]], children: { self } });
    expect(reason).toBe('workflow `self`: call depth exceeded 8 at node `again`');
    expect([counters.nodeExecutions, counters.nodeFailures, counters.workflowErrored]).toEqual([9, 9, 9]);
  });

  test('the depth counts where a composition node is entered, even if it has nothing to run', async () => {
    const self = {
      nodes: [
        ['none', 'parallel', { branches: [] }],
        ['again', 'call', { workflow: 'self' }],
      ],
      edges: ['none -> again'],
    } as const;
    const { reason } = await aTrial({ nodes: [['again', 'call', { workflow: 'self' }]], children: { self } });
    expect(reason).toBe('workflow `self`: call depth exceeded 8 at node `none`');
  });

  test('a workflow that never ends is stopped at its ten thousandth step', async () => {
    const { status, stoppedBy, reason, path, counters } = await aTrial({
      nodes: [['round', 'merge']],
      edges: ['round -> round *20000'],
    });
    expect(reason).toBe(
      'workflow `flow`: safety cap hit: engine walked 10000 nodes without reaching a terminal outcome',
    );
    expect([status, stoppedBy, path.length, counters.nodeFailures]).toEqual(['errored', 'step_limit', 10_000, 0]);
  });

  test('retries without a back-off count as steps, however many the node may make', async () => {
    const { status, stoppedBy, reason, path, counters, elapsedUs } = await aTrial({
      nodes: [['read', 'read_file', { pathFrom: 'trigger.file' }, { maxAttempts: 4_294_967_295, backoffMs: 0 }]],
      payload: { file: '/gone' },
      timeoutMs: 2000,
    });
    expect(reason).toBe(
      'workflow `flow`: safety cap hit: 10000 steps in one walk, of which 9999 are retries or repeated requests',
    );
    expect([status, stoppedBy, path.length, elapsedUs]).toEqual(['errored', 'step_limit', 1, 0]);
    expect([counters.retries, counters.nodeFailures]).toEqual([9999, 0]);
  });

  test('answers that are sent back for repair again and again count as steps', async () => {
    const { stoppedBy, path, counters } = await aTrial({
      nodes: [
        [
          'ask',
          'llm_infer',
          { backend: 'default', prompt: 'p', outputSchema: { kind: 'json' }, outputRepairs: 2 ** 31 },
        ],
      ],
      turns: [aTurn('no JSON', { repeat: true })],
    });
    expect([stoppedBy, path.length, counters.llmCalls]).toEqual(['step_limit', 1, 10_000]);
  });

  test('retries of children count with all other steps of the trial', () => {
    const retry = { maxAttempts: 20_000, backoffMs: 0 };
    const tally = aTally({
      nodes: [['each', 'map', { itemsFrom: 'trigger.items', workflow: 'child', maxItems: 200 }]],
      children: { child: { nodes: [['read', 'read_file', { pathFrom: 'trigger' }, retry]] } },
      payload: { items: Array.from({ length: 120 }, () => '/gone') },
    });
    // The map's visit, then a hundred children of ten thousand steps, the last of them cut short by one.
    expect(tally.counters[COUNTER.retries]).toBe(999_999 - 100);
  });

  test('children that never end are stopped together at the millionth step of each trial', () => {
    const program = aProgram({
      nodes: [
        ['each', 'map', { itemsFrom: 'trigger.items', workflow: 'endless', maxItems: 200 }],
        ['next', 'merge'],
      ],
      edges: ['each -error-> next'],
      children: { endless: { nodes: [['round', 'merge']], edges: ['round -> round *20000'] } },
      payload: { items: Array.from({ length: 101 }, (_, at) => at) },
    });
    const tally = program.newTally();
    program.run(0, 2, tally);
    // One visit of the map, a hundred times ten thousand steps less one, and no more anywhere.
    expect([...tally.nodeVisits]).toEqual([2, 0, 2 * 999_999]);
    expect(tally.stops[STOPS.indexOf('step_limit')]).toBe(2);
  });

  test('a broken trial counts the node that found no answer', () => {
    const tally = aTally({
      nodes: [['get', 'http_request', { method: 'GET', urlFrom: 'trigger.url' }]],
      payload: { url: 'https://a.test/' },
    });
    expect([tally.broken, tally.counters[COUNTER.nodeExecutions]]).toEqual([1, 1]);
  });
});

describe('time', () => {
  test('a node that overruns still ends the run when nothing comes after it', async () => {
    const { status, elapsedUs } = await aTrial({
      nodes: [['run', 'shell_run', { command: '/slow' }]],
      timeoutMs: 1000,
      ...slowTool,
    });
    expect([status, elapsedUs]).toEqual(['completed', 3_000_000]);
  });

  test('a run out of time stops before the next node, after the one it entered last', async () => {
    expect(
      await endOf({
        nodes: [
          ['run', 'shell_run', { command: '/slow' }],
          ['next', 'merge'],
        ],
        edges: ['run -> next'],
        timeoutMs: 1000,
        ...slowTool,
      }),
    ).toEqual({
      status: 'timed_out',
      stoppedBy: 'timeout',
      lastNode: 'run',
      path: ['run'],
      reason: null,
      finalValue: null,
    });
  });

  test('what a run waited for when its time was up is told by who was asked, without passwords', () => {
    const find = { port: 'mcp', op: 'tool', server: 'shop', target: 'find\n', args: null } as const;
    const get = {
      port: 'http',
      method: 'GET',
      url: 'https://ann:secret@a.example/x',
      headers: {},
      body: null,
    } as const;
    expect([find, { ...find, server: null }, get].map(waitedFor)).toEqual([
      'MCP server `shop` did not answer tool `find\\n` before the time was up',
      'the MCP server did not answer tool `find\\n` before the time was up',
      'GET https://**********@a.example/x was not answered before the time was up',
    ]);
  });

  test('a back-off that would pass the deadline is given up at once, with the wait in place of the error', async () => {
    const { reason, category, elapsedUs, counters } = await aTrial({
      nodes: [['read', 'read_file', { pathFrom: 'trigger.file' }, { maxAttempts: 9, backoffMs: 2500 }]],
      payload: { file: '/gone' },
      timeoutMs: 6000,
    });
    // 2.5 s have passed; 5 s more would be 7.5 s.
    expect([reason, category, elapsedUs, counters.retries]).toEqual(['timeout after 5s', 'timeout', 2_500_000, 1]);
    expect([counters.nodeExecutions, counters.nodeFailures]).toEqual([1, 1]);
  });

  test('a loop out of time asks its model no more, but calls the tool that was chosen in time', async () => {
    const slow = { type: 'delay', config: { delayMs: 2000 } };
    const { reason, counters } = await aTrial({
      nodes: [['loop', 'agent_loop', { backend: 'default', maxSteps: 3, instructions: 'go', tools: ['read_env'] }]],
      turns: [aTurn('{"action":"tool","tool":"read_env","args":{"key":"A"}}', {}, slow), aTurn('{"action":"final"}')],
      timeoutMs: 1000,
    });
    expect([reason, counters.toolCalls, counters.llmCalls]).toEqual(['timeout after 0ns', 1, 1]);
  });

  test('a resumed run has the whole time limit again', async () => {
    const { status, path, elapsedUs } = await aTrial({
      nodes: [
        ['wait', 'pause_for_approval'],
        ['next', 'merge'],
      ],
      edges: ['wait -> next'],
      timeoutMs: 1000,
      world: { approvals: { wait: { decision: 'resume', afterMs: 60_000 } } },
    });
    expect([status, path, elapsedUs]).toEqual(['completed', ['wait', 'next'], 60_000_000]);
  });

  test('a group of children takes as long as its slowest one, groups follow each other', async () => {
    const child = { nodes: [['run', 'shell_run', { command: '/slow' }]] } as const;
    const { elapsedUs } = await aTrial({
      nodes: [['each', 'map', { itemsFrom: 'trigger.items', workflow: 'child', maxItems: 9, maxConcurrent: 2 }]],
      children: { child },
      payload: { items: [1, 2, 3] },
      ...slowTool,
    });
    expect(elapsedUs).toBe(6_000_000);
  });

  test('a pure program lives in virtual time in the asynchronous driver too', async () => {
    const program = aProgram({ nodes: [['a', 'merge']] });
    const tally = program.newTally();
    // The builder's clock throws when it is read.
    await program.runAsync(0, 3, tally, { concurrency: 2 });
    expect(tally.passed).toBe(3);
  });
});

describe('endings', () => {
  test('a required path that leads nowhere stops the run and says which', async () => {
    expect((await endOf({ nodes: [['parse', 'parse_json', { inputFrom: 'before.text' }]] })).reason).toBe(
      'tool `parse_json` failed: path `before.text` is not set in the execution context',
    );
  });

  test('a fail node gives its reason, or the usual one', async () => {
    expect((await endOf({ nodes: [['no', 'fail', { reason: 'too bad' }]] })).reason).toBe('too bad');
    expect((await endOf({ nodes: [['no', 'fail']] })).reason).toBe('workflow failed');
  });

  test('a reply is given only by runs that complete', async () => {
    const respond = ['say', 'respond', { bodyTemplate: 'hi' }] as const;
    const kept = await aTrial({ nodes: [respond, ['end', 'terminate']], edges: ['say -> end'] });
    expect(kept.response).toEqual({ status: 200, contentType: 'application/json', body: 'hi' });
    const lost = await aTrial({ nodes: [respond, ['end', 'fail']], edges: ['say -> end'] });
    expect(lost.response).toBeNull();
  });

  test('a child asks the backends and servers of its parent, whatever it declares itself', async () => {
    const servers = [{ name: 'docs', command: ['serve'], allowTools: ['*'], allowResources: [], env: {} }];
    const tools = { find: [aToolMock({ content: 'found' })] };
    const nodes = [['ask', 'call_mcp_tool', { tool: 'find', server: 'docs' }]] as const;
    const parts: TrialParts = {
      nodes: [['run', 'call', { workflow: 'child' }]],
      children: { child: { nodes, mcpServers: servers } },
      world: { mcp: [{ name: 'docs', tools, resources: {} }] },
    };
    expect((await aTrial(parts)).reason).toBe('workflow `child`: unknown mcp server `docs`; configured: []');
    expect((await aTrial({ ...parts, mcpServers: servers })).status).toBe('completed');
  });
});

describe('denials', () => {
  const closed: Policy = {
    fs: { read: ['/data/**'], write: [], delete: [], list: [] },
    env: { readKeys: [] },
    http: { urls: [], methods: [] },
    shell: { commands: [] },
    mcp: { servers: [], tools: [], resources: [] },
  };
  const injection = bitOf('security_injection');
  // Observed in passing trials; these expect nothing, so they pass.
  const sawInjection = (parts: TrialParts): boolean => {
    const tally = aTally({ ...parts, policy: closed });
    return (tally.observedHigh & (1 << (injection - 32))) !== 0;
  };
  const ask = ['ask', 'llm_infer', { backend: 'default', prompt: 'where?', outputSchema: { kind: 'json' } }] as const;

  test('a denial inside a child is counted once, and never tried again', async () => {
    const child = { nodes: [['read', 'read_file', { pathFrom: 'trigger.file' }, { maxAttempts: 3 }]] } as const;
    const { status, stoppedBy, reason, counters } = await aTrial({
      nodes: [['run', 'call', { workflow: 'child' }]],
      children: { child },
      payload: { file: '/secret' },
      policy: closed,
    });
    expect([status, stoppedBy, counters.policyDenials, counters.retries]).toEqual(['errored', 'denial', 1, 0]);
    expect(reason).toBe(
      'policy violation: read_file denied on /secret: fs_read on `/secret` not covered by any allowlist pattern',
    );
  });

  test('an injection is observed when the denied target came from a model', () => {
    const nodes = [ask, ['read', 'read_file', { pathFrom: 'ask.parsed.file' }]] as const;
    expect(sawInjection({ nodes, edges: ['ask -> read'], turns: [aTurn('{"file":"/secret"}')] })).toBe(true);
  });

  test('an injection is observed behind nodes, children and loops that pass the target on', () => {
    const render = ['render', 'template_render', { template: '{{file}}', inputFrom: 'ask.parsed' }] as const;
    const read = ['read', 'read_file', { pathFrom: 'render.rendered' }] as const;
    const turns = [aTurn('{"file":"/secret"}')];
    expect(sawInjection({ nodes: [ask, render, read], edges: ['ask -> render', 'render -> read'], turns })).toBe(true);
    const child = { nodes: [['read', 'read_file', { pathFrom: 'trigger.file' }]] } as const;
    const call = ['run', 'call', { workflow: 'child', inputFrom: 'ask.parsed' }] as const;
    expect(sawInjection({ nodes: [ask, call], edges: ['ask -> run'], turns, children: { child } })).toBe(true);
    const loop = [
      'loop',
      'agent_loop',
      { backend: 'default', maxSteps: 2, instructions: 'go', tools: ['read_file'] },
    ] as const;
    const tool = '{"action":"tool","tool":"read_file","args":{"path":"/secret"}}';
    expect(sawInjection({ nodes: [loop], turns: [aTurn(tool), aTurn('{"action":"final"}')] })).toBe(true);
  });

  test('no injection is observed when the target is not the model’s, even if the content is', () => {
    const turns = [aTurn('{"file":"/secret"}')];
    const read = ['read', 'read_file', { pathFrom: 'trigger.file' }] as const;
    expect(sawInjection({ nodes: [ask, read], edges: ['ask -> read'], turns, payload: { file: '/secret' } })).toBe(
      false,
    );
    const write = ['write', 'write_file', { pathFrom: 'trigger.file', contentFrom: 'ask.parsed' }] as const;
    expect(sawInjection({ nodes: [ask, write], edges: ['ask -> write'], turns, payload: { file: '/data/x' } })).toBe(
      false,
    );
  });
});
