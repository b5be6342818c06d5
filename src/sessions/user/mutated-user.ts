import type { UserInSession, PlayedUser, UserMove } from './user-in-session.ts';

/** What becomes of the n-th message of a user, from 0. A promise where a model is asked; rejects where that says nothing of it. */
export type ChangeMessage = (text: string, n: number) => string | Promise<string>;

/** A user whose messages are mutated on their way to the agent. The user itself does not know, and goes on as it meant them. */
export class MutatedUser implements UserInSession {
  private readonly user: UserInSession;
  private readonly change: ChangeMessage;
  private said = 0;

  constructor(user: UserInSession, change: ChangeMessage) {
    this.user = user;
    this.change = change;
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

  private mutated(move: UserMove): UserMove | Promise<UserMove> {
    if (move.kind !== 'says') return move;
    const { text } = move;
    const changed = this.change(text, this.said++);
    const asMove = (made: string): UserMove => (made === text ? move : { kind: 'says', text: made, meant: text });
    return changed instanceof Promise ? changed.then(asMove) : asMove(changed);
  }
}
