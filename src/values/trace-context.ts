import { createHash } from 'node:crypto';
import type { TraceContext } from '../types/trace.ts';

/** The trace of a trial of the run of this name. It follows from the three alone, so that anybody can work it out. */
export function traceContext(run: string, scenario: string, trial: number): TraceContext {
  const digits = createHash('sha256')
    .update(JSON.stringify([run, scenario, trial]))
    .digest('hex');
  return { trace: digits.slice(0, 32), span: digits.slice(32, 48) };
}

/**
 * What tells a server which trial asks it: `traceparent` (W3C Trace Context, level 1, marked as sampled) and `baggage` (W3C
 * Baggage), with the names of run and scenario and the number of the trial.
 */
export type TraceHeaders = Readonly<Record<'traceparent' | 'baggage', string>>;

export function traceHeaders(run: string, scenario: string, trial: number): TraceHeaders {
  const { trace, span } = traceContext(run, scenario, trial);
  return {
    traceparent: `00-${trace}-${span}-01`,
    baggage: `passk.run=${word(run)},passk.scenario=${word(scenario)},passk.trial=${trial}`,
  };
}

/** The same of a run whose trials are told apart only where it has a name; undefined: it has none. */
export function headersOfRun(run: string | null, scenario: string, trial: number): TraceHeaders | undefined {
  return run === null ? undefined : traceHeaders(run, scenario, trial);
}

/** A value of baggage has 8,192 bytes at most with all others, and names may be of any length. */
const LONGEST = 256;

function word(text: string): string {
  return encodeURIComponent([...text.toWellFormed()].slice(0, LONGEST).join(''));
}
