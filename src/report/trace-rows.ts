import { partsText } from './text/message-lines.ts';
import type { Json } from '../types/json.ts';
import type { TraceEvent } from '../types/trace.ts';
import type { Outcome } from '../types/trial.ts';
import { formatCount, formatDuration } from '../text/format-number.ts';
import { requestTexts } from './words/request-texts.ts';
import { spacedJson } from './spaced-json.ts';

/** One line of a trace as people read it; a visit begins the lines of its node. */
export type TraceRow = { readonly kind: 'visit'; readonly node: string; readonly type: string } | LabelledRow;

export interface LabelledRow {
  readonly kind: 'row';
  readonly label: string;
  readonly text: string;
  readonly role?: 'bad' | 'warn';
  /** What the text says, for those who show both sides beside each other; absent: it is no change of a value. */
  readonly change?: ChangedValue;
}

/** A value before and after; its place and both as texts. */
export interface ChangedValue {
  readonly at: string;
  readonly before: string;
  readonly after: string;
}

export function row(label: string, text: string, role?: LabelledRow['role']): LabelledRow {
  return { kind: 'row', label, text, ...(role !== undefined && { role }) };
}

/** The rows of an event; [] for the end of the whole trial, which callers show themselves. */
export function traceRows(event: TraceEvent): readonly TraceRow[] {
  switch (event.kind) {
    case 'prompt':
      return [row('asks', event.intended), row('sends', event.text)];
    case 'visit': {
      const again = event.visit > 1 ? ` (visit ${formatCount(event.visit)})` : '';
      const visit = { kind: 'visit', node: event.node, type: event.type + again } as const;
      return [visit, ...event.inputs.map((input) => row('reads', valueText(input)))];
    }
    case 'request':
      return requestTexts(event.port, event.request).map(([label, text]) => row(label, text));
    case 'reply':
      return [row('gets', replyText(event.reply, event.source))];
    case 'denial':
      return [row('denied', event.message + (event.fromModel ? ' (the target came from the model)' : ''), 'bad')];
    case 'fault':
      return [row('fault', `${event.fault}: ${event.message}`, 'warn')];
    case 'retry':
      return [row('retries', `after ${formatDuration(event.waitUs / 1000)}: ${event.message}`, 'warn')];
    case 'output':
      return [row('gives', valueText(event.output)), ...(event.branch === null ? [] : [row('branch', event.branch)])];
    case 'edge':
      return [row('then', event.to)];
    case 'error':
      return [row('error', event.message, 'bad')];
    case 'end':
      return event.walk === '' ? [] : [row('ends', endText(event.outcome))];
  }
}

/** How a trial or a child ended. */
export function endText({ status, stoppedBy, lastNode, reason }: Outcome): string {
  const where = lastNode === null ? '' : ` at ${lastNode}`;
  return `${status}${where}, stopped by ${stoppedBy}${reason === null ? '' : `: ${reason}`}`;
}

/** A value in one line. */
export function valueText(value: Json | undefined): string {
  return value === undefined ? 'nothing: the path leads nowhere' : spacedJson(value);
}

/** Events in the order of reading: children that ran at the same time stand one after the other, each in its own order. */
export function inWalkOrder(events: readonly TraceEvent[], depth = 0): readonly TraceEvent[] {
  const ordered: TraceEvent[] = [];
  const walks = new Map<string, TraceEvent[]>();
  const flush = (): void => {
    for (const walk of walks.values()) for (const event of inWalkOrder(walk, depth + 1)) ordered.push(event);
    walks.clear();
  };
  for (const event of events) {
    if (depthOf(event.walk) <= depth) {
      flush();
      ordered.push(event);
      continue;
    }
    const key = event.walk
      .split('/')
      .slice(0, depth + 1)
      .join('/');
    const walk = walks.get(key);
    if (walk === undefined) walks.set(key, [event]);
    else walk.push(event);
  }
  flush();
  return ordered;
}

/** How many workflows lie above an event's walk. */
export function depthOf(walk: string): number {
  return walk === '' ? 0 : walk.split('/').length;
}

function replyText(reply: Json, source: string): string {
  if (reply === null || typeof reply !== 'object' || Array.isArray(reply)) return `${valueText(reply)} (${source})`;
  const { kind, ...rest } = reply as Readonly<Record<string, Json>>;
  switch (kind) {
    case 'model':
      return `${partsText(rest['parts'])} (${source}, ${usageText(rest['usage'] ?? null)})`;
    case 'value':
      return `${valueText(rest['value'])} (${source})`;
    case 'children':
      return valueText(rest['results']);
    case 'error':
    case 'broken': {
      const { message, usage = null } = rest;
      return `${kind}: ${String(message)} (${source}${usage === null ? '' : `, ${usageText(usage)}`})`;
    }
    default:
      return `${valueText(reply)} (${source})`;
  }
}

function usageText(usage: Json): string {
  if (usage === null || typeof usage !== 'object' || Array.isArray(usage)) return 'tokens unknown';
  const { promptTokens, completionTokens } = usage as Readonly<Record<string, Json>>;
  return `${promptTokens} + ${completionTokens} tokens`;
}
