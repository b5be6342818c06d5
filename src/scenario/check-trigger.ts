import { hintFor } from '../text/did-you-mean.ts';
import type { JsonObject } from '../types/json.ts';
import type { Trigger } from '../types/trigger.ts';
import type { Workflow } from '../types/workflow.ts';
import { isTable } from '../source/json-schema.ts';
import { tableAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import { dateTimeText, readTrigger, triggersOf } from './read-trigger.ts';

/** A run by schedule or by a change of files has a payload of its own shape, and some trigger that would start it. */
export function checkTrigger(data: JsonObject, workflow: Workflow, report: Report): void {
  const trigger = readTrigger(data, workflow);
  if (trigger.kind !== 'cron' && trigger.kind !== 'fs_watch') return;
  const payload = isTable(trigger.payload) ? trigger.payload : {};
  const hasPayload = valueAt(tableAt(data, 'trigger'), 'payload') !== undefined;
  const wrong = (key: string, what: string, hint: string): void =>
    report({
      code: 'bad_trigger_payload',
      message: `A run by ${trigger.kind} needs ${what} as payload.${key}.`,
      at: ['trigger', ...(hasPayload ? ['payload'] : ['kind'])],
      hint,
    });
  if (trigger.kind === 'cron') {
    const hint = 'Declare a [[triggers]] of type cron for the start node, or write the expression.';
    if (textAt(payload, 'schedule') === undefined) wrong('schedule', 'a cron expression', hint);
    if (dateTimeText(valueAt(payload, 'scheduled_at')) === null) {
      wrong(
        'scheduled_at',
        'a moment with its offset',
        'Write it so: payload = { scheduled_at = 2024-05-01T02:00:00Z }.',
      );
    }
  } else {
    const example = 'Write it so: payload = { path = "/inbox/a.txt", event = "created" }.';
    if (textAt(payload, 'path') === undefined) wrong('path', 'the path that changed', example);
    if (textAt(payload, 'event') === undefined) wrong('event', 'the kind of change', example);
  }
  checkDeclared(trigger, payload, workflow, report);
}

function checkDeclared(trigger: Trigger, payload: JsonObject, workflow: Workflow, report: Report): void {
  const { kind, start } = trigger;
  const declared = triggersOf(workflow, kind, start);
  const never = (message: string, hint: string | (() => string)): void =>
    report({ code: 'never_triggered', severity: 'warning', message, at: ['trigger', 'kind'], hint });
  if (declared.length === 0) {
    never(
      `No trigger of type ${kind} in workflow "${workflow.name}" runs start node "${start}".`,
      `Declare it: [[triggers]] with type = "${kind}" and start_node = "${start}".`,
    );
    return;
  }
  if (kind === 'cron') {
    const schedules = declared.flatMap((one) => textAt(one, 'schedule') ?? []);
    const schedule = textAt(payload, 'schedule') ?? '';
    if (schedules.includes(schedule)) return;
    never(`No trigger for start node "${start}" has the schedule "${schedule}".`, () =>
      hintFor(schedule, schedules, 'schedules'),
    );
    return;
  }
  const path = textAt(payload, 'path');
  const event = textAt(payload, 'event');
  if (path === undefined || event === undefined) return;
  if (declared.some((one) => watches(one, path, event))) return;
  never(
    `No trigger for start node "${start}" watches "${path}" for the event "${event}".`,
    'Compare path, recursive and events of its [[triggers]].',
  );
}

/** True when a declared watch is told of this change: of the path itself, in its folder, or, if recursive, below. */
function watches(declared: JsonObject, path: string, event: string): boolean {
  const events = textsAt(declared, 'events');
  if (events.length > 0 && !events.includes(event)) return false;
  const watched = (textAt(declared, 'path') ?? '').replace(/\/+$/, '');
  if (path === watched) return true;
  if (!path.startsWith(`${watched}/`)) return false;
  return valueAt(declared, 'recursive') === true || !path.slice(watched.length + 1).includes('/');
}
