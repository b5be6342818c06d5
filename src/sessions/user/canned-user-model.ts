import { indexByWeight, weightThresholds } from '../../random/weights.ts';
import type { UserTurn } from '../../types/sessions/session-user.ts';
import type { AskUser } from './model-user.ts';
import type { UserDraws } from './user-draws.ts';

/** The model of a user whose answers are canned. Which variant is given is drawn from seed, trial and turn. */
export function cannedUserModel(turns: readonly UserTurn[]): (draws: UserDraws) => AskUser {
  const compiled = turns.map(({ variants, repeat }, at) => ({
    key: `turn ${at}`,
    thresholds: weightThresholds(variants.map(({ weight }) => weight)),
    variants,
    repeat,
  }));
  return (draws) => {
    let at = 0;
    let asked = 0;
    return () => {
      const turn = compiled[at];
      if (turn === undefined) return { kind: 'error', message: `Its ${turns.length} canned answers are used up.` };
      if (!turn.repeat) at++;
      const drawn = turn.variants.length === 1 ? 0 : draws.share(turn.key, asked) * 0x100000000;
      asked++;
      const says = turn.variants[indexByWeight(turn.thresholds, drawn)]?.says ?? '';
      return { kind: 'answer', text: says, finish: 'stop', usage: null };
    };
  };
}
