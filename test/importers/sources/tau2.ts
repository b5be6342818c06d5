/** A simulation of τ²-bench as its data model writes it. */
export function simulation(told: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 's-0',
    task_id: '7',
    timestamp: '2026-03-02T10:01:40',
    start_time: '2026-03-02T10:00:00',
    end_time: '2026-03-02T10:01:40',
    duration: 100.5,
    termination_reason: 'user_stop',
    agent_cost: 0.25,
    user_cost: 0.05,
    reward_info: {
      reward: 1,
      db_check: { db_match: true, db_reward: 1 },
      reward_basis: ['DB', 'COMMUNICATE'],
      reward_breakdown: { DB: 1, COMMUNICATE: 1 },
      info: { env: null },
    },
    messages: MESSAGES,
    ticks: null,
    trial: 0,
    seed: 300,
    mode: 'half_duplex',
    ...told,
  };
}

const MESSAGES = [
  {
    role: 'assistant',
    content: 'Hi! How can I help?',
    tool_calls: null,
    turn_idx: 0,
    cost: 0,
    usage: null,
    raw_data: null,
  },
  {
    role: 'user',
    content: 'My phone has no signal.',
    tool_calls: [{ id: 'u1', name: 'check_bars', arguments: {}, requestor: 'user' }],
    cost: 0.05,
    usage: { completion_tokens: 5, prompt_tokens: 50 },
    raw_data: {},
  },
  { role: 'tool', id: 'u1', content: 'no bars', requestor: 'user', error: false },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: '', name: 'find_line', arguments: { phone: '1' }, requestor: 'assistant' },
      { id: '', name: 'reset_line', arguments: { phone: '2' }, requestor: 'assistant' },
    ],
    cost: 0.1,
    usage: { completion_tokens: 20, prompt_tokens: 200 },
    generation_time_seconds: 1.5,
    raw_data: {},
  },
  {
    role: 'tool',
    tool_messages: [
      { role: 'tool', id: '', content: '{"line": 4}', requestor: 'assistant', error: false },
      { role: 'tool', id: '', content: 'Error: no such line', requestor: 'assistant', error: true },
    ],
  },
  {
    role: 'assistant',
    content: 'Done.',
    cost: 0.15,
    usage: { completion_tokens: 3, prompt_tokens: 300 },
    raw_data: {},
  },
];

/** Results with what is said about an experiment; `simulations` stand in it unless they stand in files. */
export function results(told: Readonly<Record<string, unknown>> = {}) {
  return {
    timestamp: '2026-03-02T10:00:00',
    info: {
      git_commit: 'c0ffee',
      num_trials: 2,
      max_steps: 200,
      max_errors: 10,
      user_info: { implementation: 'user_simulator', llm: 'gpt-4.1', llm_args: { temperature: 0 } },
      agent_info: { implementation: 'llm_agent', llm: 'model-a', llm_args: {} },
      environment_info: { domain_name: 'telecom', policy: '# Policy', tool_defs: null },
      seed: 300,
    },
    tasks: [
      {
        id: '7',
        evaluation_criteria: {
          actions: [
            {
              action_id: 'a',
              requestor: 'assistant',
              name: 'reset_line',
              arguments: { phone: '1' },
              compare_args: null,
            },
            { action_id: 'b', requestor: 'user', name: 'check_bars', arguments: {} },
          ],
          reward_basis: ['DB', 'COMMUNICATE'],
        },
      },
    ],
    ...told,
  };
}

/** An experiment in a folder, with a file for each simulation. */
export function experimentFiles(
  simulations: readonly ReturnType<typeof simulation>[],
  told: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  return {
    'results.json': JSON.stringify(results(told)),
    ...Object.fromEntries(simulations.map((one) => [`simulations/${one.id}.json`, JSON.stringify(one)])),
  };
}
