import { TRAJECTORY } from './atif.ts';

/** A trial of Harbor as its model of results writes it. */
export function trialResult(trial: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 'a1b2c3d4-0000-4000-8000-000000000000',
    task_name: 'fix-git',
    trial_name: 'fix-git__AbC123',
    trial_uri: 'file:///jobs/one/fix-git__AbC123',
    task_id: { path: 'tasks/fix-git' },
    source: 'terminal-bench',
    task_checksum: 'abcdef0123456789',
    config: { task: { path: 'tasks/fix-git' }, trial_name: 'fix-git__AbC123', agent: { name: 'claude-code' } },
    agent_info: { name: 'claude-code', version: '2.0.1', model_info: { name: 'model-a', provider: 'anthropic' } },
    agent_result: { n_input_tokens: 1200, n_cache_tokens: 900, n_output_tokens: 80, cost_usd: 0.25, metadata: null },
    verifier_result: { rewards: { lint: 0.5, reward: 1 } },
    exception_info: null,
    started_at: '2026-10-11T10:00:00Z',
    finished_at: '2026-10-11T10:05:00Z',
    agent_execution: { started_at: '2026-10-11T10:01:00Z', finished_at: '2026-10-11T10:03:00Z' },
    step_results: null,
    ...trial,
  };
}

export function exception(exception_type: string) {
  const exception_message = 'it ended';
  return { exception_type, exception_message, exception_traceback: '', occurred_at: '2026-10-11T10:03:00Z' };
}

/** A job folder with trials by name. */
export function jobFiles(trials: Readonly<Record<string, unknown>>): Record<string, string> {
  const files = Object.entries(trials).flatMap(([name, result]) => [
    [`one/${name}/config.json`, JSON.stringify({ trial_name: name })],
    [`one/${name}/result.json`, typeof result === 'string' ? result : JSON.stringify(result)],
    [`one/${name}/agent/trajectory.json`, JSON.stringify(TRAJECTORY)],
    [`one/${name}/artifacts/result.json`, JSON.stringify(trialResult({ trial_name: 'an artifact' }))],
    [`one/${name}/verifier/reward.txt`, '1'],
  ]);
  return Object.fromEntries([
    ['one/config.json', '{"job_name": "one"}'],
    ['one/result.json', '{"id": "x", "n_total_trials": 3, "stats": {}}'],
    ...files,
  ]);
}
