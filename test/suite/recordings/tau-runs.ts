import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface TauRun {
  readonly task: string | number;
  readonly trial: number;
  readonly reward: number;
  /** The run ended by an error of its harness. */
  readonly error?: string;
  readonly says?: string;
  /** Names of tools that it calls, in order, each with `{"id": 1}`; absent: `cancel`. */
  readonly calls?: readonly string[];
  /** The gold calls of its task, with the same arguments; absent: the file has none. */
  readonly gold?: readonly string[];
  /** What its task wants to be said. */
  readonly outputs?: readonly string[];
}

/** The text of a results file of τ-bench. */
export function tauText(runs: readonly TauRun[]): string {
  return JSON.stringify(
    runs.map(({ task, trial, reward, error, says = 'Hello', calls = ['cancel'], gold, outputs = [] }) => ({
      task_id: task,
      reward,
      info: {
        ...(error === undefined ? { reward_info: { reward } } : { error }),
        ...(gold !== undefined && {
          task: { actions: gold.map((name) => ({ name, kwargs: { id: 1 } })), outputs, instruction: 'Have it done.' },
        }),
      },
      traj: [
        { role: 'user', content: 'Cancel it.' },
        ...calls.flatMap((name, at) => [
          {
            role: 'assistant',
            content: says,
            tool_calls: [{ id: `a${at}`, type: 'function', function: { name, arguments: '{"id": 1.0}' } }],
          },
          { role: 'tool', tool_call_id: `a${at}`, name, content: '{"done": true}' },
        ]),
        { role: 'assistant', content: 'Done.' },
      ],
      trial,
    })),
  );
}

/** So many trials of each task, of which the first so many passed. */
export function tauRuns(passed: Readonly<Record<string, number>>, trials: number): readonly TauRun[] {
  return Object.entries(passed).flatMap(([task, count]) =>
    Array.from({ length: trials }, (_, trial) => ({ task, trial, reward: trial < count ? 1 : 0 })),
  );
}

/** A folder of its own with these files; the folder. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-recorded-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}
