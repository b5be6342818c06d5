import {
  answerMetadata,
  type AnswerMetadata,
  costOf,
  countsIn,
  modelIn,
  USAGE_KEYS,
  type UsageCounts,
} from '../plugin/answer-metadata.ts';
import { answerFinish } from '../plugin/finish-reason.ts';
import type { FinishReason } from '../types/message.ts';
import { fieldAt, textAt } from '../values/json-fields.ts';
import { jsonIn } from '../values/json-in.ts';
import type { AgentResponse } from './read-answer.ts';
import { readEvents } from './read-events.ts';

/** The Responses API has its answer in `response`, Anthropic the beginning of one in `message`, the AI SDK what a server adds. */
const EVENT_PARTS = ['response', 'message', 'messageMetadata'];

/** With it the AI SDK ends each call of a model. */
const STEP_END = 'finish-step';

/** What a text that may be JSON says of itself. */
export function textMetadata(text: string): AnswerMetadata {
  return answerMetadata(jsonIn(text));
}

/** What a response says of itself, whole or as a stream. */
export function responseMetadata({ contentType, body }: Pick<AgentResponse, 'contentType' | 'body'>): AnswerMetadata {
  const events = readEvents(contentType, body);
  return events === null ? textMetadata(body) : eventsMetadata(events.map(({ data }) => jsonIn(data)));
}

/** What events say together: of each count, the model and the end the last that tells it. */
export function eventsMetadata(events: readonly unknown[]): AnswerMetadata {
  let counts: UsageCounts = {};
  let model: string | null = null;
  let finish: FinishReason | null = null;
  let steps = 0;
  for (const event of events) {
    const type = textAt(event, 'type');
    // Another answer begins, whose counts are not to be mixed with those of the one before.
    const isStart = type === 'message_start';
    if (isStart) [counts, finish] = [{}, null];
    if (type === STEP_END) steps++;
    for (const part of [event, ...EVENT_PARTS.map((key) => fieldAt(event, key))]) {
      // The first of the keys counts most.
      for (const key of USAGE_KEYS.toReversed()) counts = { ...counts, ...countsIn(fieldAt(part, key)) };
      model = modelIn(part) ?? model;
      finish = answerFinish(part) ?? finish;
    }
    // What is counted there of the answer is no more than its beginning.
    if (isStart) delete counts['output_tokens'];
  }
  return { ...costOf(counts, steps), model, finish };
}
