import { PasskError } from '../../errors.ts';
import type { Json } from '../../types/json.ts';
import type { CounterName } from '../../types/trial.ts';
import { callNames } from '../../matching/call-names.ts';
import type { Denial, SentRequest, TrialView } from '../check.ts';
import { showText } from '../show-value.ts';
import { answerText } from './answer-text.ts';
import type { JudgedAnswer, ToldTokens } from './rule.ts';

/**
 * The answer of a workflow: the body of the reply that it shaped, else its final value. Runs that did not complete gave
 * none. Looks things up when asked and is used for one trial after the other, so that trials cost no objects.
 */
export class OutcomeAnswer implements JudgedAnswer {
  readonly prompt = null;
  readonly isAsked = true;
  /** Filled in before the trial, into the rule itself. */
  readonly baseline = null;
  private view: TrialView | null = null;
  private readonly texts = new WeakMap<object, string>();
  private readonly names = new WeakMap<object, readonly string[]>();
  private readonly seen: (readonly string[])[] = [];

  of(view: TrialView): this {
    this.view = view;
    return this;
  }

  get struck(): number {
    return this.view?.struck ?? 0;
  }

  get text(): string | null {
    const { view } = this;
    if (view === null || view.status !== 'completed') return null;
    return view.response?.body ?? this.textOf(view.finalValue);
  }

  get problem(): string | null {
    const { view } = this;
    if (view === null || view.status === 'completed') return null;
    const { status, reason } = view;
    return `the run ended as ${status}${reason === null ? '' : `: ${showText(reason)}`}`;
  }

  get latencyMs(): number | null {
    return this.view === null ? null : this.view.elapsedUs / 1000;
  }

  get tokens(): number | null {
    return this.counted('llmTokens');
  }

  get promptTokens(): number | null {
    return this.counted('promptTokens');
  }

  get completionTokens(): number | null {
    return this.counted('completionTokens');
  }

  get atLeast(): ToldTokens | null {
    const { view } = this;
    if (view === null || view.untoldBy == null) return null;
    const [tokens, promptTokens] = [view.counter('llmTokens'), view.counter('promptTokens')];
    return { tokens, promptTokens, completionTokens: view.counter('completionTokens') };
  }

  get calls(): readonly (readonly string[])[] | null {
    if (this.view === null) return null;
    this.seen.length = 0;
    for (const sent of this.view.requests()) this.seen.push(this.namesOf(sent));
    return this.seen;
  }

  get denials(): readonly Denial[] | null {
    return this.view?.denials() ?? null;
  }

  get stoppedBy(): string | null {
    return this.view?.stoppedBy ?? null;
  }

  get trial(): TrialView {
    if (this.view === null) throw new PasskError('INTERNAL', 'No trial is judged yet.');
    return this.view;
  }

  /** Null: an answer did not tell it. */
  private counted(name: CounterName): number | null {
    return this.view === null || this.view.untoldBy != null ? null : this.view.counter(name);
  }

  /** Requests are often the same objects, trial after trial, always of the same node. */
  private namesOf(sent: SentRequest): readonly string[] {
    const hit = this.names.get(sent.request);
    if (hit?.[0] === sent.node) return hit;
    const names = callNames(sent.node, sent.request);
    this.names.set(sent.request, names);
    return names;
  }

  private textOf(value: Json): string {
    if (value === null || typeof value !== 'object') return answerText(value);
    const hit = this.texts.get(value);
    if (hit !== undefined) return hit;
    const text = answerText(value);
    this.texts.set(value, text);
    return text;
  }
}
