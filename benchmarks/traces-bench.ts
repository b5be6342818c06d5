import path from 'node:path';
import type { Bench, Row } from './bench.ts';
import { runChild } from './child-process.ts';
import { median } from './pairs.ts';
import { type Tracer, writeTraces } from './trace-files.ts';

const TRACERS: readonly Tracer[] = ['otlp', 'langsmith', 'langfuse'];

/** Large files of traces: time against `JSON.parse` of the same lines, and memory. */
export const tracesBench: Bench = {
  name: 'traces',
  about: 'scoring a large file of traces against parsing it',
  async run({ quick, folder }) {
    const rounds = quick ? 1 : 3;
    return TRACERS.flatMap((tracer): readonly Row[] => {
      const file = path.join(folder, `${tracer}.jsonl`);
      const bytes = writeTraces(file, tracer, quick ? 1000 : 8000);
      // In turn, so that what else the machine does meets both alike.
      const pairs = Array.from({ length: rounds }, () => ({
        scored: runChild(folder, 'score', file),
        parsed: runChild(folder, 'parse-lines', file),
      }));
      const scoredMs = median(pairs.map(({ scored }) => scored.tookMs));
      const parsedMs = median(pairs.map(({ parsed }) => parsed.tookMs));
      const peak = median(pairs.map(({ scored }) => scored.peakMiB));
      const size = Math.round(bytes / 1024 / 1024);
      return [
        { name: `${tracer}: MiB scored in a second, of ${size} MiB`, value: size / (scoredMs / 1000), unit: '/s' },
        { name: `${tracer}: scored / read and parsed by JSON.parse`, value: scoredMs / parsedMs, unit: 'x' },
        { name: `${tracer}: peak memory of scoring`, value: peak, unit: 'MiB', atMost: 400 },
      ];
    });
  },
};
