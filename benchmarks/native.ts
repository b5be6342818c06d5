import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TrialProgram } from '../src/trial/program.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import { COUNTERS, type CounterName } from '../src/types/trial.ts';
import { drawWords, nativeTables } from './native-tables.ts';

/** Compiles a C program of `native/`; null where no compiler is present. */
export function buildNative(folder: string, name: 'walk' | 'route3'): string | null {
  const out = path.join(folder, `native-${name}`);
  if (existsSync(out)) return out;
  const { status, error, stderr } = spawnSync('cc', ['-O2', '-o', out, path.join(folder, 'native', `${name}.c`)], {
    encoding: 'utf8',
  });
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(`native/${name}.c does not compile:\n${stderr}`);
  return out;
}

/** Nanoseconds per trial of the C program that walks the same tables. */
export function timeNative(binary: string, plan: WorkflowPlan, trials: number): number {
  return Number(runBinary(binary, ['time', String(trials)], nativeTables(plan)));
}

/** Nanoseconds per trial of the C program for `route3` alone. */
export function timeSpecialised(binary: string, plan: WorkflowPlan, trials: number): number {
  return Number(runBinary(binary, [...drawWords(plan), trials].map(String), '').split(' ')[0]);
}

/** Throws unless C program and engine count the same in every column of the tally. */
export function compareTotals(binary: string, plan: WorkflowPlan, program: TrialProgram, trials: number): void {
  const native: unknown = JSON.parse(runBinary(binary, ['totals', String(trials)], nativeTables(plan)));
  const engine = totalsOf(program, trials);
  if (isDeepStrictEqual(native, engine)) return;
  throw new Error(`C and the engine differ:\n${JSON.stringify(native)}\n${JSON.stringify(engine)}`);
}

const CHECKS = ['status', 'last_node', 'path', 'max_llm_calls', 'max_total_tokens'];

function totalsOf(program: TrialProgram, trials: number) {
  const tally = program.newTally();
  program.run(0, trials, tally);
  const counter = (name: CounterName): number => tally.counters[COUNTERS.indexOf(name)] as number;
  let verdicts = 0;
  for (let word = 0; word < 2 ** 15; word++) verdicts = (verdicts * 31 + (tally.verdicts.words[word] ?? 0)) % 1000003;
  return {
    passed: tally.passed,
    failed: tally.failed,
    calls: counter('llmCalls'),
    tokens: counter('llmTokens'),
    squaredLow: tally.tokensSquaredLow,
    squaredHigh: tally.tokensSquaredHigh,
    verdicts,
    nodes: [...tally.nodeVisits],
    edges: [...tally.edgeVisits],
    served: [...tally.served],
    checks: CHECKS.map((name) => tally.checkFailures[program.info.checks.indexOf(name)]),
    lowest: tally.lowestFailed,
  };
}

function runBinary(binary: string, args: readonly string[], input: string): string {
  const { status, stdout } = spawnSync(binary, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path.basename(binary)} ended with ${status}`);
  return stdout;
}
