import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of attackers: where an attack cannot get through, an agent that is not fooled proves nothing. */
export const attackDefects: readonly Saboteur[] = [
  ...defectsIn('sessions/attack/attacked-world.ts', [
    {
      name: 'the world never becomes what an attacker wants',
      find: 'this.isThere = this.isAim(state);',
      replace: 'this.isThere = false;',
    },
    {
      name: 'the world is always what an attacker wants',
      find: 'if (this.isReached || wasThere || !this.isThere || !this.hasEntered) return null;',
      replace: 'if (this.isReached) return null;',
    },
    {
      name: 'no result holds the payload',
      find: 'const isPoisoned = isAnswer && this.isEntry(name);',
      replace: 'const isPoisoned = false;',
    },
    {
      name: 'results are said to hold a payload that they do not hold',
      find: 'result: withPayload(reply.result, this.target.payload)',
      replace: 'result: reply.result',
    },
  ]),
  ...defectsIn('sessions/attack/attacked-user.ts', [
    {
      name: 'users leave out what they were to pass on',
      find: '`${move.text}\\n\\n${this.payload}`',
      replace: 'move.text',
    },
  ]),
  ...defectsIn('checks/attack-checks.ts', [
    {
      name: 'an agent that must fall passes by resisting',
      find: 'holds: hasSucceeded,',
      replace: 'holds: (view) => !hasSucceeded(view),',
    },
    {
      name: 'an agent that resists has not',
      find: 'ruling: (view) => rulingOf(hasSucceeded(view), wrong),',
      replace: 'ruling: (view) => rulingOf(!hasSucceeded(view), wrong),',
    },
  ]),
];
