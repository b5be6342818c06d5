import { formatMean } from '../../src/text/format-number.ts';
import { formatInterval, formatRate } from '../../src/text/format-rate.ts';
import type { HtmlScenario } from '../../src/report/html/html-model.ts';
import type { Mark as SectionMark } from '../../src/report/sections/section.ts';

export interface Mark {
  readonly sign: string;
  readonly word: string;
  readonly role: 'good' | 'warn' | 'bad';
}

/** How a scenario did, by sign, word and colour. */
export function markOf({ verdict, trials, exact }: HtmlScenario): Mark {
  const [, executed, deduplicated, passed, failed, broken] = trials;
  if (verdict === 'load_error') return { sign: '!', word: 'not loaded', role: 'bad' };
  // Of a scenario that failed as well, the other reports say so.
  if (broken > 0 && !(verdict === 'failed' && failed > 0)) return { sign: '!', word: 'broken', role: 'warn' };
  if (exact !== undefined) {
    if (verdict === 'failed') return { sign: '✗', word: 'failed', role: 'bad' };
    return exact[0] < 1
      ? { sign: '≈', word: 'flaky, passed', role: 'warn' }
      : { sign: '✓', word: 'passed', role: 'good' };
  }
  if (verdict === 'not_run') return { sign: '–', word: 'not run', role: 'warn' };
  if (verdict === 'failed') return { sign: '✗', word: 'failed', role: 'bad' };
  if (verdict === 'insufficient') return { sign: '?', word: 'undecided', role: 'warn' };
  if (passed < executed + deduplicated) return { sign: '≈', word: 'flaky, passed', role: 'warn' };
  return { sign: '✓', word: 'passed', role: 'good' };
}

/** The mark of a section as a badge, which has its name in full. */
export function badgeOf({ sign, name, role }: SectionMark): Mark {
  return { sign, word: name, role: role === 'good' || role === 'bad' ? role : 'warn' };
}

export function Badge({ mark }: { readonly mark: Mark }) {
  return (
    <span class={`badge ${mark.role}`}>
      <span aria-hidden="true">{mark.sign} </span>
      {mark.word}
    </span>
  );
}

/** A pass rate on a line from 0 to 1 with its interval and its bar; the numbers stand beside it. */
export function RateBar({ scenario }: { readonly scenario: HtmlScenario }) {
  const { rate, interval, bar } = scenario;
  if (scenario.exact !== undefined) return <span class="number">{formatRate(scenario.exact[0])} exact</span>;
  if (rate === null) return <span class="muted">no rate</span>;
  const [low, high] = interval ?? [rate, rate];
  return (
    <span class="rate">
      <svg viewBox="0 0 100 14" width="100" height="14" aria-hidden="true">
        <rect class="rate-all" x="0" y="6" width="100" height="2" />
        <rect class="rate-interval" x={100 * low} y="4" width={Math.max(1, 100 * (high - low))} height="6" rx="2" />
        {bar !== null && <rect class="rate-bar" x={Math.min(98.5, 100 * bar)} y="0" width="1.5" height="14" />}
        <circle class="rate-point" cx={Math.min(97, Math.max(3, 100 * rate))} cy="7" r="3" />
      </svg>
      <span class="number">{formatRate(rate)}</span>
      {interval !== null && <span class="number muted">{formatInterval(interval)}</span>}
    </span>
  );
}

/** A number, or a dash that is read out as what it is. */
export function Amount({ value }: { readonly value: number | null }) {
  if (value === null)
    return (
      <span class="muted">
        <span aria-hidden="true">–</span>
        <span class="unseen">none</span>
      </span>
    );
  return <span class="number">{formatMean(value)}</span>;
}

/** With a capital letter. */
export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `llmTokens` as people say it. */
export function counterLabel(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^llm/, 'LLM');
  return capital(words);
}
