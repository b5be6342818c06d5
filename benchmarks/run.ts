import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, type BenchOptions, missesBar, type Row } from './bench.ts';
import { agentsBench } from './agents-bench.ts';
import { claimsBench } from './claims-bench.ts';
import { engineBench } from './engine-bench.ts';
import { gateBench } from './gate-bench.ts';
import { loadBench } from './load-bench.ts';
import { matrixBench } from './matrix-bench.ts';
import { memoryBench } from './memory-bench.ts';
import { nodesBench } from './nodes-bench.ts';
import { piecesBench } from './pieces-bench.ts';
import { recorderBench } from './recorder-bench.ts';
import { recordingsBench } from './recordings-bench.ts';
import { renderRows } from './render-rows.ts';
import { scalingBench } from './scaling-bench.ts';
import { sessionsBench } from './sessions-bench.ts';
import { startBench } from './start-bench.ts';
import { tracesBench } from './traces-bench.ts';

const BENCHES: readonly Bench[] = [
  engineBench,
  scalingBench,
  memoryBench,
  startBench,
  loadBench,
  claimsBench,
  nodesBench,
  recorderBench,
  matrixBench,
  piecesBench,
  recordingsBench,
  tracesBench,
  sessionsBench,
  agentsBench,
];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    compare: { type: 'string' },
  },
});

const chosen = values.gate ? [gateBench] : BENCHES.filter(({ name }) => isWanted(name, values.only));
if (values.list) for (const { name, about } of chosen) console.log(`${name.padEnd(10)} ${about}`);
else await runAll();

function isWanted(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.includes(name);
}

async function runAll(): Promise<void> {
  const unknown = values.only.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. See --list.`);
  const before = values.compare === undefined ? new Map() : readRows(values.compare);
  const results: Result[] = [];
  const folder = dirname(fileURLToPath(import.meta.url));
  for (const bench of chosen) {
    const { quick } = values;
    const rows = chosen.length > 1 ? runAlone(bench, { quick, folder }) : await bench.run({ quick, folder });
    results.push({ bench: bench.name, rows });
    console.log(renderRows(bench, rows, before));
  }
  if (values.json !== undefined) {
    const shown = { node: process.version, cores: availableParallelism(), quick: values.quick, results };
    writeFileSync(values.json, `${JSON.stringify(shown, null, 2)}\n`);
  }
  // Bars are for a quiet machine: only the gate, with its slack, fails the process.
  const missed = results.flatMap(({ rows }) => rows).filter(missesBar);
  if (values.gate && missed.length > 0) process.exitCode = 1;
}

interface Result {
  readonly bench: string;
  readonly rows: readonly Row[];
}

/** Runs a bench in a process of its own: V8 makes other code where another bench has run before. */
function runAlone({ name }: Bench, { quick, folder }: BenchOptions): readonly Row[] {
  const json = join(folder, `${name}.json`);
  const args = [fileURLToPath(import.meta.url), '--only', name, '--json', json, ...(quick ? ['--quick'] : [])];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return resultsIn(json).flatMap(({ rows }) => rows);
}

function resultsIn(file: string): readonly Result[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly results: readonly Result[] }).results;
}

function readRows(file: string): ReadonlyMap<string, number> {
  const results = resultsIn(file);
  return new Map(results.flatMap(({ bench, rows }) => rows.map((row) => [`${bench}/${row.name}`, row.value] as const)));
}
