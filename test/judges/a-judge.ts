import type { LiveModel } from '../../src/settings/live-functions.ts';

type Request = Parameters<LiveModel>[0];

/** What a judge is asked, as its model reads it. */
export interface Asked {
  readonly mark: string;
  /** Ids of the criteria. */
  readonly criteria: readonly string[];
  /** The record, a line for each thing that happened. */
  readonly record: string;
}

export function askedOf({ messages }: Pick<Request, 'messages'>): Asked {
  const [system = '', record = ''] = messages.map(({ content }) => content);
  const mark = /"mark":"(m-[0-9a-f]+)"/.exec(system)?.[1] ?? '';
  const criteria = [...system.matchAll(/^criterion "([^"]+)":/gm)].map(([, id = '']) => id);
  return { mark, criteria, record };
}

/** An answer in the form that judges are asked for. */
export function verdict({ mark, criteria }: Asked, isMet: (criterion: string) => boolean): string {
  const verdicts = criteria.map((criterion) => {
    const met = isMet(criterion);
    return { criterion, reason: met ? 'It is there.' : 'It is missing.', met };
  });
  return JSON.stringify({ mark, verdicts });
}

/** A judge for which everything is met where the record holds a word. */
export function judgeOf(word: string): LiveModel {
  return (request) => {
    const asked = askedOf(request);
    return { content: verdict(asked, () => asked.record.includes(word)), promptTokens: 100, completionTokens: 20 };
  };
}

/** A judge that compares: the record that holds a word is better, and neither where both do, or none. */
export function pairJudgeOf(word: string): LiveModel {
  return (request) => {
    const { mark, record } = askedOf(request);
    const [first = '', second = ''] = record.split('end of record A').map((one) => one.includes(word));
    const better = first === second ? 'tie' : first === true ? 'A' : 'B';
    const content = JSON.stringify({ mark, reason: 'It holds the word.', verdict: better });
    return { content, promptTokens: 100, completionTokens: 20 };
  };
}
