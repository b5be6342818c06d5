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
}

/** The text of a results file of τ-bench. */
export function tauText(runs: readonly TauRun[]): string {
  return JSON.stringify(
    runs.map(({ task, trial, reward, error, says = 'Hello' }) => ({
      task_id: task,
      reward,
      info: error === undefined ? { reward_info: { reward } } : { error },
      traj: [
        { role: 'user', content: 'Cancel it.' },
        {
          role: 'assistant',
          content: says,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'cancel', arguments: '{"id": 1}' } }],
        },
        { role: 'tool', tool_call_id: 'a', name: 'cancel', content: '{"done": true}' },
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
