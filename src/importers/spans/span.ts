import type { ImportedMessage, ImportedUsage } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';

/** What a span of a trace is about. `judge`: an evaluator, with all spans below it. `step`: none of the other kinds. */
export type SpanKind = 'model' | 'embedding' | 'tool' | 'retrieval' | 'agent' | 'judge' | 'step';

/**
 * One step of a run, as tracing systems keep them. What the source does not tell is null or undefined. Importers make a span
 * as one literal with every field: there are millions, and adding fields to a copy costs more than reading the span.
 */
export interface Span {
  readonly id: string;
  /** The span that it is a part of; null: none. */
  readonly parent: string | null;
  readonly kind: SpanKind;
  readonly name: string;
  /** Of a tool or an agent: what it is called by, where that is not the name of the span. */
  readonly calledAs?: string | undefined;
  /** Milliseconds since 1970. */
  readonly begin: number | null;
  readonly end: number | null;
  /** Why it failed; null: it did not. */
  readonly error: string | null;
  /** Which model it tells of. */
  readonly model?: string | undefined;
  /** Tokens: of a model those of this call alone, of any other span those of all that is below it. */
  readonly usage?: ImportedUsage | undefined;
  /** Dollars, likewise; of a tool its own. */
  readonly usd?: number | undefined;
  /** Of a model: how many calls it stands for; absent: one. */
  readonly units?: number | undefined;
  /** Of a model: all that it was asked with, history included. */
  readonly asked?: readonly ImportedMessage[] | undefined;
  /** Of a model: what it answered. */
  readonly answered?: readonly ImportedMessage[] | undefined;
  /** Of a tool. */
  readonly args?: Json | undefined;
  readonly result?: Json | undefined;
  /** Of a retrieval. */
  readonly documents?: readonly { readonly source: string | null; readonly text: string }[] | undefined;
}

/** A call of a model. */
export function isModelCall({ kind }: Span): boolean {
  return kind === 'model' || kind === 'embedding';
}

/** Whether spans below this one ask models on their own account: it was called, by a model or by a program. */
export function isApart({ kind }: Span): boolean {
  return kind === 'tool' || kind === 'agent' || kind === 'judge';
}

/** What a tool or an agent is called by. */
export function calledName({ calledAs, name }: Span): string {
  return calledAs ?? name;
}
