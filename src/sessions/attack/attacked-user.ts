import type { SessionAttack } from '../../types/sessions/attack.ts';
import type { UserInSession, UserMove } from '../user/user-in-session.ts';

/** A user whose first message carries a payload, as a text does that somebody was given to pass on. */
export function attackedUser(user: UserInSession, { payload }: SessionAttack): UserInSession {
  return new AttackedUser(user, payload);
}

class AttackedUser implements UserInSession {
  private readonly inner: UserInSession;
  private readonly payload: string;

  constructor(inner: UserInSession, payload: string) {
    this.inner = inner;
    this.payload = payload;
  }

  begin(): UserMove | Promise<UserMove> {
    const move = this.inner.begin();
    return move instanceof Promise ? move.then((one) => this.carrying(one)) : this.carrying(move);
  }

  hear(message: string, isLast: boolean): UserMove | Promise<UserMove> {
    return this.inner.hear(message, isLast);
  }

  late(): void {
    this.inner.late?.();
  }

  get simulated(): UserInSession['simulated'] {
    return this.inner.simulated;
  }

  private carrying(move: UserMove): UserMove {
    return move.kind === 'says' ? { kind: 'says', text: `${move.text}\n\n${this.payload}` } : move;
  }
}
