import type { Recorder } from '../../engine/trial-state.ts';
import type { Reply, Request } from '../../plugin/request.ts';
import type { LedgerLine } from '../../types/record.ts';
import type { TraceEvent } from '../../types/trace.ts';
import { requestNames } from './request-names.ts';

/** What the requests of a workflow cost, one line for each. Canned answers have usage and no price. */
export function ledgerOf(events: readonly TraceEvent[]): readonly LedgerLine[] {
  const recorder = new LedgerRecorder(null);
  for (const event of events) recorder.event(event);
  return recorder.lines;
}

/** Takes down what a trial costs while it runs, and hands each event on. */
export class LedgerRecorder implements Recorder {
  lines: LedgerLine[] = [];
  private readonly inner: Recorder | null;
  /** The request that each walk waits for. */
  private readonly open = new Map<string, Extract<TraceEvent, { kind: 'request' }>>();

  constructor(inner: Recorder | null) {
    this.inner = inner;
  }

  begin(): void {
    this.lines = [];
    this.open.clear();
  }

  event(event: TraceEvent): void {
    this.inner?.event(event);
    if (event.kind === 'request') this.open.set(event.walk, event);
    else if (event.kind === 'reply') {
      const request = this.open.get(event.walk);
      this.open.delete(event.walk);
      // The engine writes both events, so their shapes are known.
      const reply = event.reply as unknown as Reply | { readonly kind: 'broken' };
      if (request !== undefined) this.add(request, reply);
    }
  }

  keep(trial: number, end: TraceEvent | null): string | null {
    return this.inner?.keep?.(trial, end) ?? null;
  }

  /** Requests that were refused cost nothing, and so do failed requests of models. */
  private add(
    { node, port, request, attempt }: Extract<TraceEvent, { kind: 'request' }>,
    reply: Reply | { readonly kind: 'broken' },
  ): void {
    if (port === 'children' || port === 'file' || port === 'env') return;
    if (reply.kind === 'error' && (reply.denied || port === 'model')) return;
    const [name = port] = requestNames(node, request as unknown as Request);
    const line = { name, attempt, units: 1, nanoUsd: null };
    if (port !== 'model') this.lines.push({ kind: 'tool', ...line, usage: null });
    else this.lines.push({ kind: 'model', ...line, usage: reply.kind === 'model' ? reply.usage : null });
  }
}
