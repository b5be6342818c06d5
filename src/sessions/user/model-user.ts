import type { FinishReason, Message, TokenUsage } from '../../types/message.ts';
import type { PersonaCard, SimulatedUser, UserModel } from '../../types/sessions/session-user.ts';
import { textMessage } from '../../values/message-text.ts';
import type { PlayedUser, UserInSession, UserMove } from './user-in-session.ts';
import { BEGIN, LAST_MESSAGE, userPrompt } from './user-prompt.ts';
import { readUserMessage } from './user-rules.ts';

/** What a user's model answered, or why it did not. */
export type UserAnswer =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly finish: FinishReason | null;
      /** Null: unknown. */
      readonly usage: TokenUsage | null;
    }
  | { readonly kind: 'error'; readonly message: string };

/** Asks the model of a user for its next message. Rejects, or throws, where that says nothing about the model. */
export type AskUser = (messages: readonly Message[]) => UserAnswer | Promise<UserAnswer>;

/** Characters of a message of the agent that a user reads. */
const MOST_READ = 50_000;

/** A user whom a model plays, in one session. Each of its messages is held against its rules. */
export class ModelUser implements UserInSession {
  private readonly usages: (TokenUsage | null)[] = [];
  private readonly user: UserModel;
  private readonly ask: AskUser;
  private readonly said: Message[];
  private readonly heard: string[] = [];
  private broke: SimulatedUser['broke'] = null;

  constructor(user: UserModel, ask: AskUser) {
    this.user = user;
    this.ask = ask;
    this.said = [textMessage('system', userPrompt(user.card)), textMessage('user', BEGIN)];
  }

  get simulated(): PlayedUser {
    const sum = (of: (usage: TokenUsage) => number): number =>
      this.usages.reduce((total, usage) => total + (usage === null ? 0 : of(usage)), 0);
    return {
      facts: {
        model: this.user.model,
        broke: this.broke,
        calls: this.usages.length,
        promptTokens: sum(({ promptTokens }) => promptTokens),
        completionTokens: sum(({ completionTokens }) => completionTokens),
      },
      usages: this.usages,
    };
  }

  begin(): UserMove | Promise<UserMove> {
    const { opening } = this.card;
    if (opening === null) return this.next(false);
    this.said.push(textMessage('assistant', opening));
    return { kind: 'says', text: opening };
  }

  hear(message: string, isLast: boolean): UserMove | Promise<UserMove> {
    const read = message.length <= MOST_READ ? message : `${message.slice(0, MOST_READ)}…`;
    this.heard.push(read);
    this.said.push(textMessage('user', isLast ? `${read}${LAST_MESSAGE}` : read));
    return this.next(isLast);
  }

  late(): void {
    this.broke = 'no_answer';
  }

  private get card(): PersonaCard {
    return this.user.card;
  }

  private next(isLast: boolean): UserMove | Promise<UserMove> {
    const answered = this.ask([...this.said]);
    return answered instanceof Promise
      ? answered.then((answer) => this.read(answer, isLast))
      : this.read(answered, isLast);
  }

  private read(answer: UserAnswer, isLast: boolean): UserMove {
    if (answer.kind === 'error') return this.noted({ kind: 'fails', rule: 'no_answer', reason: answer.message });
    const { text, finish, usage } = answer;
    this.usages.push(usage);
    const move = readUserMessage(text, finish, { card: this.card, heard: this.heard, isLast });
    if (move.kind === 'says') this.said.push(textMessage('assistant', move.text));
    return this.noted(move);
  }

  private noted(move: UserMove): UserMove {
    if (move.kind === 'fails') this.broke = move.rule;
    return move;
  }
}
