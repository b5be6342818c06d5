import type { Json } from './json.ts';

/** What can start a run. */
export const TRIGGER_KINDS = ['manual', 'http', 'event', 'cron', 'fs_watch'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** What a scenario says in `[trigger]`: the data the run starts with. */
export interface Trigger {
  /** What starts the workflow. */
  readonly kind: TriggerKind;
  /** A start node's name. */
  readonly start: string;
  /** For `cron` a table with `schedule` and `scheduled_at`, for `fs_watch` one with `path` and `event`; else any value. */
  readonly payload: Json;
}
