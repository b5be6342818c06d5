import type { ImportedMessage, ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';

/** What a span of a trace is about. `judge`: all below it is no doing of the subject. `step`: nothing in particular. */
export type SpanKind = 'model' | 'embedding' | 'tool' | 'retrieval' | 'agent' | 'judge' | 'step';

/** One step of a run, as tracing systems keep them. What the source does not tell is null or absent. */
export interface Span {
  readonly id: string;
  /** The span that it is a part of; null: none. */
  readonly parent: string | null;
  readonly kind: SpanKind;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly begin: number | null;
  readonly end: number | null;
  /** Why it failed; null: it did not. */
  readonly error: string | null;
  /** Of a model: which one. */
  readonly model?: string;
  /** Of a model: tokens of this call alone. */
  readonly usage?: ImportedUsage;
  /** Dollars of this step alone. */
  readonly usd?: number;
  /** Of a model: all that it was asked with, history included. */
  readonly asked?: readonly ImportedMessage[];
  /** Of a model: what it answered. */
  readonly answered?: readonly ImportedMessage[];
  /** Of a tool. */
  readonly args?: Json;
  readonly result?: Json;
  /** Of a retrieval. */
  readonly documents?: readonly { readonly source: string | null; readonly text: string }[];
}
