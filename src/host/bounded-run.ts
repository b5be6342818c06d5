import type { AgentAnswer, AgentRun } from '../types/agent.ts';

/** Characters of all texts of a trial together, as JSON; a value of the engine holds no more. */
const MOST_TEXT = 900_000;

export const TOO_LONG = `answered with more than a trial can hold (${MOST_TEXT} characters)`;

/** True: a trial cannot hold the text. */
export function isTooLong(text: string): boolean {
  return JSON.stringify(text).length > MOST_TEXT;
}

/** Characters of an attacked prompt that are kept in any case. */
const LEAST_SENT = 2000;

/** Texts beyond what a trial may hold become errors: a part of an answer is not judged as if it were all of it. */
export function boundedRun(run: AgentRun): AgentRun {
  let left = MOST_TEXT;
  const keep = (text: string): boolean => {
    const size = JSON.stringify(text).length;
    if (size > left) return false;
    left -= size;
    return true;
  };
  const answers = run.answers.map((answer): AgentAnswer => {
    const baseline = answer.baseline !== null && keep(answer.baseline) ? answer.baseline : null;
    const { sent } = answer;
    const fits = sent === null || keep(sent);
    const bounded = { ...answer, sent: fits ? sent : `${sent.slice(0, LEAST_SENT)}…`, baseline };
    if (keep(answer.text)) return bounded;
    return { ...bounded, text: '', error: TOO_LONG };
  });
  return { ...run, answers };
}
