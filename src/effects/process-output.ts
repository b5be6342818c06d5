import type { ProcessRequest } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';

/** How a program ended and what it printed. */
export interface ProcessResult {
  readonly exitCode: number;
  /** Number of the signal that ended it. */
  readonly signal: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly durationMs: number;
}

const OUTPUT_BYTES = 64 << 10;

/** The output of `shell_run`, mocked or real: each stream is cut at 64 KiB. */
export function processOutput(
  { command, args }: Pick<ProcessRequest, 'command' | 'args'>,
  { exitCode, signal, timedOut, durationMs, ...printed }: ProcessResult,
): Json {
  const stdout = cap(printed.stdout);
  const stderr = cap(printed.stderr);
  return {
    command,
    args,
    exit_code: signal === null ? exitCode : -1,
    signal,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.truncated || stderr.truncated,
    timed_out: timedOut,
    duration_ms: durationMs,
  };
}

function cap(text: string): { readonly text: string; readonly truncated: boolean } {
  if (Buffer.byteLength(text) <= OUTPUT_BYTES) return { text, truncated: false };
  // Whole characters only: a cut one would come back as a replacement character.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(OUTPUT_BYTES));
  return { text: text.slice(0, read), truncated: true };
}
