import type { TokenUsage } from '../../types/message.ts';
import type { SimulatedUser, UserRule } from '../../types/sessions/session-user.ts';

/** What the user does when it is its turn. */
export type UserMove =
  /** `meant`: what it was before it was mutated; absent: the same. */
  | { readonly kind: 'says'; readonly text: string; readonly meant?: string }
  /** The user has nothing left to say, or has lost patience. `text`: last words, which the agent is not asked about. */
  | { readonly kind: 'leaves'; readonly why: 'user_done' | 'user_gave_up'; readonly text?: string }
  /** The user broke a rule of its own, so that the session says nothing about the agent. */
  | { readonly kind: 'fails'; readonly rule: UserRule; readonly reason: string; readonly text?: string };

/** A user in one session. Promises where it waits for something. */
export interface UserInSession {
  /** What the user says first. */
  begin(): UserMove | Promise<UserMove>;
  /** What the user does after a message of the agent; `isLast`: it may say no more after that. */
  hear(message: string, isLast: boolean): UserMove | Promise<UserMove>;
  /** The time was up while the user was waited for; absent: nobody waits for this user. */
  late?(): void;
  /** What is known of a user that a model plays; absent: it follows a script. */
  readonly simulated?: PlayedUser | undefined;
}

/** A user that a model played. */
export interface PlayedUser {
  readonly facts: SimulatedUser;
  /** What each answer of the model took, in order; null: it does not say. */
  readonly usages: readonly (TokenUsage | null)[];
}
