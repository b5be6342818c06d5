import {
  answerCost,
  type AnswerCost,
  countsIn,
  modelIn,
  usageOf,
  USAGE_KEYS,
  type UsageCounts,
} from '../plugin/answer-cost.ts';
import { fieldAt, textAt } from '../values/json-fields.ts';
import { jsonIn } from '../values/json-in.ts';
import type { AgentResponse } from './read-answer.ts';
import { readEvents } from './read-events.ts';

/** The Responses API has its answer in `response`, Anthropic the beginning of one in `message`, the AI SDK what a server adds. */
const EVENT_PARTS = ['response', 'message', 'messageMetadata'];

/** What a text that may be JSON says of what it took. */
export function textCost(text: string): AnswerCost {
  return answerCost(jsonIn(text));
}

/** What a response says, whole or as a stream: of its events the last that tells a count, and the last that names a model. */
export function responseCost({ contentType, body }: Pick<AgentResponse, 'contentType' | 'body'>): AnswerCost {
  const events = readEvents(contentType, body);
  if (events === null) return textCost(body);
  let counts: UsageCounts = {};
  let model: string | null = null;
  for (const { data } of events) {
    const event = jsonIn(data);
    // Another answer begins, whose counts are not to be mixed with those of the one before.
    const isStart = textAt(event, 'type') === 'message_start';
    if (isStart) counts = {};
    for (const part of [event, ...EVENT_PARTS.map((key) => fieldAt(event, key))]) {
      // The first of the keys counts most.
      for (const key of USAGE_KEYS.toReversed()) counts = { ...counts, ...countsIn(fieldAt(part, key)) };
      model = modelIn(part) ?? model;
    }
    // What is counted there of the answer is no more than its beginning.
    if (isStart) delete counts['output_tokens'];
  }
  return { usage: usageOf(counts), model };
}
