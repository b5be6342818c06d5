import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { type ChildResult, runChild } from './child-process.ts';
import { timeInspect, writeInspectLog } from './inspect-log.ts';
import { median } from './pairs.ts';

/** Bytes of one run in the file, about: a short dialogue of an agent with tools. */
const MESSAGES = Array.from({ length: 20 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: 'The order "A-17" was placed on Monday,\nand nobody has answered since then.\n'.repeat(6),
}));

/** Large files of recorded runs: time against `JSON.parse` of the same bytes, and memory. */
export const recordingsBench: Bench = {
  name: 'recordings',
  about: 'scoring a large file of recorded runs against parsing it',
  async run({ quick, folder }) {
    const rounds = quick ? 1 : 3;
    const file = path.join(folder, 'runs.json');
    const bytes = writeRuns(file, quick ? 20_000 : 40_000);
    const one = (task: 'score' | 'score-workers' | 'parse-json'): readonly ChildResult[] =>
      Array.from({ length: rounds }, () => runChild(folder, task, file));
    const [scored, shared, parsed] = [one('score'), one('score-workers'), one('parse-json')];
    const ms = (results: readonly ChildResult[]): number => median(results.map(({ tookMs }) => tookMs));
    const rate = bytes / 1024 / 1024 / (ms(scored) / 1000);
    const large = path.join(folder, 'more-runs.json');
    const more = writeRuns(large, quick ? 60_000 : 200_000);
    const peak = runChild(folder, 'score', large).peakMiB;
    const tasks = path.join(folder, 'tasks.jsonl');
    const count = quick ? 100_000 : 1_000_000;
    writeTasks(tasks, count);
    const ofTasks = runChild(folder, 'score', tasks).peakMiB;
    const log = path.join(folder, 'log.eval');
    const unpacked = writeInspectLog(log, quick ? 1000 : 4000, MESSAGES);
    const logMs = median(Array.from({ length: rounds }, () => runChild(folder, 'score', log).tookMs));
    const inspectMs = timeInspect(log);
    return [
      {
        name: `MiB scored in a second, of ${Math.round(bytes / 1024 / 1024)} MiB`,
        value: rate,
        unit: '/s',
        atLeast: 40,
      },
      { name: 'scored / read and parsed by JSON.parse', value: ms(scored) / ms(parsed), unit: 'x' },
      { name: 'with two workers / with none', value: ms(shared) / ms(scored), unit: 'x' },
      { name: 'peak memory of JSON.parse', value: median(parsed.map(({ peakMiB }) => peakMiB)), unit: 'MiB' },
      { name: 'peak memory of scoring', value: median(scored.map(({ peakMiB }) => peakMiB)), unit: 'MiB', atMost: 400 },
      { name: `the same of ${Math.round(more / 1024 / 1024)} MiB`, value: peak, unit: 'MiB', atMost: 400 },
      { name: `the same of ${count} tasks of one run each`, value: ofTasks, unit: 'MiB', atMost: 400 },
      {
        name: 'MiB scored in a second, of a log of Inspect unpacked',
        value: unpacked / 1024 / 1024 / (logMs / 1000),
        unit: '/s',
      },
      ...(inspectMs === null
        ? []
        : [{ name: 'scored / read by Inspect itself', value: logMs / inspectMs, unit: 'x' as const }]),
    ];
  },
};

/** So many tasks as JSON Lines. */
function writeTasks(file: string, tasks: number): void {
  const descriptor = openSync(file, 'w');
  for (let from = 0; from < tasks; from += 10_000) {
    const lines = Array.from(
      { length: Math.min(10_000, tasks - from) },
      (_, at) => `{"task":"task-${from + at}","attempt":0,"passed":${((from + at) * 7919) % 10 < 6}}\n`,
    );
    writeSync(descriptor, lines.join(''));
  }
  closeSync(descriptor);
}

/** So many runs of τ-bench, four of each task; the bytes of the file. */
function writeRuns(file: string, runs: number): number {
  const descriptor = openSync(file, 'w');
  for (let run = 0; run < runs; run++) {
    const reward = (run * 7919) % 10 < 6 ? 1 : 0;
    const text = JSON.stringify({
      task_id: run >> 2,
      reward,
      info: { reward_info: {} },
      traj: MESSAGES,
      trial: run % 4,
    });
    writeSync(descriptor, `${run === 0 ? '[' : ','}${text}`);
  }
  writeSync(descriptor, ']');
  closeSync(descriptor);
  return statSync(file).size;
}
