import type { Recorder } from '../engine/trial-state.ts';
import type { TraceEvent } from '../types/trace.ts';
import { hideCredentials } from '../text/hide-credentials.ts';
import type { LowestTrials } from './lowest-trials.ts';
import { integerAsText } from '../values/exact-json.ts';

/** Characters of JSON that one recorded trial may have. */
const MAX_RECORDED = 256 * 1024;

/** Records trials that cannot be run again, one after the other: each is kept as text while it runs. */
export class TraceRecorder implements Recorder {
  private readonly lowest: LowestTrials;
  private events: string[] = [];
  private length = 0;
  private omitted = 0;

  constructor(lowest: LowestTrials) {
    this.lowest = lowest;
  }

  begin(): void {
    this.events = [];
    this.length = 0;
    this.omitted = 0;
  }

  event(event: TraceEvent): void {
    const text = this.omitted > 0 ? '' : hideCredentials(JSON.stringify(event, integerAsText));
    if (this.omitted > 0 || this.length + text.length > MAX_RECORDED) {
      this.omitted++;
      return;
    }
    this.length += text.length;
    this.events.push(text);
  }

  keep(trial: number, end: TraceEvent | null): string | null {
    if (!this.lowest.add(trial)) return null;
    const events = end === null ? this.events : [...this.events, hideCredentials(JSON.stringify(end, integerAsText))];
    return `{"events":[${events.join(',')}],"omitted":${this.omitted}}`;
  }
}
