import { keptAnswer } from '../../effects/answers.ts';
import type { ChangedAnswer } from '../../faults/chaos/change-answer.ts';
import type { Answer } from '../../plugin/request.ts';

/**
 * Answers that chaos has made, by what they are made of and what struck. Those made of answers that come again in other
 * trials are kept like these, so that what follows from them is remembered.
 */
export class AnswerCache {
  private readonly made = new WeakMap<object, Map<unknown, Answer>>();
  private readonly changes = new WeakMap<object, WeakMap<object, ChangedAnswer>>();

  /** What a strike makes of an answer. */
  from(answer: Answer, strike: unknown, make: () => Answer): Answer {
    return isKept(answer) ? this.insteadOf(answer, strike, make) : make();
  }

  /** What comes instead of the answer to a request, or whatever else it follows from alone. */
  insteadOf(from: object, strike: unknown, make: () => Answer): Answer {
    let made = this.made.get(from);
    if (made === undefined) {
      made = new Map();
      this.made.set(from, made);
    }
    const hit = made.get(strike);
    if (hit !== undefined) return hit;
    const answer = keptAnswer(make());
    if (made.size < MOST_STRIKES) made.set(strike, answer);
    return answer;
  }

  /** What a list of changes makes of an answer. */
  changed(from: Answer, changes: object, make: () => ChangedAnswer): ChangedAnswer {
    if (!isKept(from)) return make();
    let made = this.changes.get(from);
    if (made === undefined) {
      made = new WeakMap();
      this.changes.set(from, made);
    }
    const hit = made.get(changes);
    if (hit !== undefined) return hit;
    const answer = make();
    made.set(changes, answer);
    return answer;
  }
}

/** Different strikes on one answer that are kept. */
const MOST_STRIKES = 1024;

/** Answers that do not depend on the trial are frozen. */
function isKept(from: object): boolean {
  return Object.isFrozen(from);
}
