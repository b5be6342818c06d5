import { mutate } from '../../mutations/mutate.ts';
import type { MutationType } from '../../types/mutations/mutation.ts';
import type { UserDraws } from './user-draws.ts';
import type { PlayedUser, UserInSession, UserMove } from './user-in-session.ts';

/** Draws that one message may take. */
const DRAWS_A_MESSAGE = 0x10000;

/** A user whose messages are mutated on their way to the agent. The user itself does not know, and goes on as it meant them. */
export class MutatedUser implements UserInSession {
  private readonly user: UserInSession;
  private readonly type: MutationType;
  private readonly draws: UserDraws;
  private said = 0;

  constructor(user: UserInSession, type: MutationType, draws: UserDraws) {
    this.user = user;
    this.type = type;
    this.draws = draws;
  }

  get simulated(): PlayedUser | undefined {
    return this.user.simulated;
  }

  begin(): UserMove | Promise<UserMove> {
    return this.sent(this.user.begin());
  }

  hear(message: string, isLast: boolean): UserMove | Promise<UserMove> {
    return this.sent(this.user.hear(message, isLast));
  }

  late(): void {
    this.user.late?.();
  }

  private sent(move: UserMove | Promise<UserMove>): UserMove | Promise<UserMove> {
    return move instanceof Promise ? move.then((one) => this.mutated(one)) : this.mutated(move);
  }

  private mutated(move: UserMove): UserMove {
    if (move.kind !== 'says') return move;
    const first = this.said++ * DRAWS_A_MESSAGE;
    const text = mutate(move.text, this.type, (n) => this.draws.share('mutation', first + n));
    return text === move.text ? move : { kind: 'says', text, meant: move.text };
  }
}
