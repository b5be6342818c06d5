import { isTable } from '../source/json-schema.ts';
import { DATE_TIME_KEY } from '../source/toml-date-time.ts';
import { isDay } from '../text/moment.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { type Trigger, TRIGGER_KINDS, type TriggerKind } from '../types/trigger.ts';
import type { Workflow } from '../types/workflow.ts';
import { tableAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';

/** The trigger of a checked scenario; what the workflow's `[[triggers]]` say of a schedule or an event is filled in. */
export function readTrigger(data: JsonObject, workflow: Workflow): Trigger {
  const trigger = tableAt(data, 'trigger');
  const kind = triggerKind(trigger);
  const start = textAt(trigger, 'start') ?? workflow.startNodes[0]?.name ?? '';
  const payload = valueAt(trigger, 'payload') ?? null;
  const [declared = {}] = triggersOf(workflow, kind, start);
  switch (kind) {
    case 'cron': {
      const fields = isTable(payload) ? payload : {};
      const schedule = textAt(declared, 'schedule');
      const at = dateTimeText(valueAt(fields, 'scheduled_at'));
      return {
        kind,
        start,
        payload: {
          ...(schedule === undefined ? {} : { schedule }),
          ...fields,
          ...(at === null ? {} : { scheduled_at: at }),
        },
      };
    }
    case 'fs_watch': {
      const [event, ...others] = textsAt(declared, 'events');
      const only = event === undefined || others.length > 0 ? {} : { event };
      return { kind, start, payload: { ...only, ...(isTable(payload) ? payload : {}) } };
    }
    default:
      return { kind, start, payload };
  }
}

/** The kind that `[trigger]` names. */
export function triggerKind(trigger: JsonObject): TriggerKind {
  const kind = textAt(trigger, 'kind');
  return TRIGGER_KINDS.find((word) => word === kind) ?? 'manual';
}

/** The workflow's declared triggers of this kind that run this start node. */
export function triggersOf(workflow: Workflow, kind: TriggerKind, start: string): readonly JsonObject[] {
  return workflow.triggers.filter(
    (declared) => textAt(declared, 'type') === kind && textAt(declared, 'start_node') === start,
  );
}

/** A moment as text, given as text or as a date-time of TOML; null: it is none. */
export function dateTimeText(value: Json | undefined): string | null {
  const text = isTable(value) ? valueAt(value, DATE_TIME_KEY) : value;
  return typeof text === 'string' && MOMENT.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
    ? text
    : null;
}

/** RFC 3339: a moment has its offset, or it would be another one elsewhere. */
const MOMENT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
