import type { Answer, EnvRequest } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { keptAnswer, valueAnswer } from './answers.ts';

/** Answers for `[world.env]`; what is not declared reads as unset. */
export function declaredEnv(env: Readonly<Record<string, string>>): (request: EnvRequest) => Answer {
  const declared = new Map(
    Object.entries(env).map(([key, value]) => [key, keptAnswer(valueAnswer({ key, value }, 'memory'))]),
  );
  const unset = new BoundedMemo<Answer>();
  return ({ key }) => {
    const answer = declared.get(key) ?? unset.get(key);
    return answer ?? unset.set(key, keptAnswer(valueAnswer({ key, value: null, missing: true }, 'memory')));
  };
}
