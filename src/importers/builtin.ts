import type { ImporterType } from '../plugin/importer-type.ts';
import { typeTaken } from '../plugin/type-taken.ts';
import { agentdojo } from './agentdojo/agentdojo.ts';
import { atif } from './atif/atif.ts';
import { deepeval } from './deepeval.ts';
import { harbor } from './harbor.ts';
import { helicone } from './helicone/helicone.ts';
import { junit } from './junit/junit.ts';
import { langfuse } from './langfuse/langfuse.ts';
import { langsmith } from './langsmith/langsmith.ts';
import { inspect } from './inspect/inspect.ts';
import { otlp } from './otlp/otlp.ts';
import { passkReport } from './passk/passk-report.ts';
import { passkJournal, passkShard } from './passk/run-file.ts';
import { promptfoo } from './promptfoo/promptfoo.ts';
import { csv } from './table/csv.ts';
import { jsonl } from './table/jsonl.ts';
import { tauBench } from './tau-bench.ts';
import { tau2Bench } from './tau2/tau2-bench.ts';

/** The formats that passk reads, in the order in which they look at a source. A new one is a file here and a line below. */
export const builtinImporters: readonly ImporterType[] = [
  passkReport,
  passkShard,
  passkJournal,
  harbor,
  atif,
  agentdojo,
  promptfoo,
  deepeval,
  tau2Bench,
  tauBench,
  junit,
  langsmith,
  langfuse,
  inspect,
  otlp,
  helicone,
  jsonl,
  csv,
];

/** These formats and those of the user's plug-ins, by their words. Throws a `PLUGIN` error when two have the same word. */
export function importersWith(plugins: ReadonlyMap<string, ImporterType>): ReadonlyMap<string, ImporterType> {
  for (const { type } of builtinImporters) {
    const plugin = plugins.get(type);
    if (plugin !== undefined) throw typeTaken(plugin);
  }
  return new Map([...builtinImporters.map((one) => [one.type, one] as const), ...plugins]);
}
