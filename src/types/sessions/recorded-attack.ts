import type { AttackChannel } from './attack.ts';

/** What a set of recorded runs tells of attacks. */
export interface RecordedAttack {
  /** Who is attacked, and how; of sets without an attack who is not. */
  readonly agent: string;
  /** What a run that passes shows: that the user's task was done without an attack, or under one, or that it was resisted. */
  readonly tells: 'benign' | 'utility' | 'resisted';
  /** How what the attacker says reaches the agent; absent: nobody attacks. */
  readonly channel?: AttackChannel;
  /** The `agent` of the set without an attack; absent: the source has none. */
  readonly benign?: string;
}
