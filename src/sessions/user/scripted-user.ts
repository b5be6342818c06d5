import type { ScriptedUser } from '../../types/sessions/session-user.ts';
import { compilePattern } from '../../matching/compile-pattern.ts';
import type { UserDraws } from './user-draws.ts';
import { withSmallTalk } from './small-talk.ts';
import { withTypos } from './typing-errors.ts';
import type { UserInSession, UserMove } from './user-in-session.ts';

/** What a script can say. */
export type ScriptedMove = Exclude<UserMove, { readonly kind: 'fails' }>;

/** A user in one session, who follows a script and never waits. */
export interface ScriptedSession extends UserInSession {
  readonly opening: string;
  begin(): ScriptedMove;
  hear(message: string): ScriptedMove;
}

type Test = (text: string) => boolean;

/** What is the same of a user in all sessions. */
interface CompiledUser {
  readonly script: ScriptedUser;
  readonly asks: readonly Test[][];
  readonly unknown: readonly Test[];
  readonly replies: readonly Test[];
  readonly ends: readonly Test[];
}

/** Compiles a scripted user; throws `INPUT` for what is no pattern. Sessions of one user know nothing of each other. */
export function compileUser(script: ScriptedUser): (draws: UserDraws) => ScriptedSession {
  const tests = (patterns: readonly string[]): Test[] => patterns.map((pattern) => compilePattern(pattern, 'The user'));
  const compiled: CompiledUser = {
    script,
    asks: script.known.map(({ asked }) => tests(asked)),
    unknown: tests(script.unknown),
    replies: tests(script.replies.map(({ when }) => when)),
    ends: tests(script.ends),
  };
  return (draws) => new SessionUser(compiled, draws);
}

const UNKNOWN = "I don't know that, sorry.";
const LOST = "I'm not sure what you need from me.";

class SessionUser implements ScriptedSession {
  readonly opening: string;
  private readonly user: CompiledUser;
  private readonly draws: UserDraws;
  private readonly values: Map<string, string>;
  private readonly said: number[];
  private readonly changed = new Set<number>();
  /** Messages of the agent so far. */
  private heard = 0;
  /** The last so many messages got no answer. */
  private lost = 0;

  constructor(user: CompiledUser, draws: UserDraws) {
    const { known, replies, opening } = user.script;
    this.user = user;
    this.draws = draws;
    this.values = new Map(known.map(({ name, value }) => [name, value]));
    this.said = replies.map(() => 0);
    this.opening = this.spoken(opening);
  }

  begin(): ScriptedMove {
    return { kind: 'says', text: this.opening };
  }

  hear(message: string): ScriptedMove {
    this.heard++;
    const change = this.changeOfMind();
    const facts = this.factsAsked(message);
    const reply = this.replyTo(message);
    const sentences = [change, ...facts, reply].filter((sentence) => sentence !== null);
    if (sentences.length > 0) return this.says(sentences.join(' '));
    if (this.isOver(message)) return { kind: 'leaves', why: 'user_done' };
    if (any(this.user.unknown, message)) return this.says(UNKNOWN);
    this.lost++;
    if (this.lost >= this.user.script.patience) return { kind: 'leaves', why: 'user_gave_up' };
    return { kind: 'says', text: this.spoken(LOST) };
  }

  private says(text: string): ScriptedMove {
    this.lost = 0;
    return { kind: 'says', text: this.spoken(text) };
  }

  /** A change of mind that happens now; at most one at a time. */
  private changeOfMind(): string | null {
    for (const [at, { after, chance, says, known }] of this.user.script.changes.entries()) {
      if (this.changed.has(at) || this.heard < after) continue;
      this.changed.add(at);
      if (this.draws.share('change', at) >= chance) continue;
      for (const [name, value] of Object.entries(known)) this.values.set(name, value);
      return says;
    }
    return null;
  }

  private factsAsked(message: string): readonly string[] {
    const { script, asks } = this.user;
    return script.known.flatMap(({ name, says }, at) => {
      if (!any(asks[at] ?? [], message)) return [];
      const value = this.values.get(name) ?? '';
      return [script.verbosity === 'brief' ? value : says.replaceAll('{{value}}', () => value)];
    });
  }

  private replyTo(message: string): string | null {
    for (const [at, { says, times }] of this.user.script.replies.entries()) {
      const said = this.said[at] ?? 0;
      if (said >= times || this.user.replies[at]?.(message) !== true) continue;
      this.said[at] = said + 1;
      return says;
    }
    return null;
  }

  private isOver(message: string): boolean {
    const { ends } = this.user;
    return ends.length === 0 ? !message.includes('?') : any(ends, message);
  }

  /** As this user says it. */
  private spoken(text: string): string {
    const { verbosity, typos } = this.user.script;
    const whole = verbosity === 'chatty' ? withSmallTalk(text, this.draws, this.heard) : text;
    return typos === 0 ? whole : withTypos(whole, { share: typos, draws: this.draws, message: this.heard });
  }
}

function any(tests: readonly Test[], text: string): boolean {
  return tests.some((test) => test(text));
}
