import { compileValueTest, type SchemaCompiler } from '../../matching/value-test.ts';
import type { Json } from '../../types/json.ts';
import type { Strike } from '../../types/record.ts';
import type { SessionAttack } from '../../types/sessions/attack.ts';
import type { StateValue } from '../../types/value-test.ts';
import { compileGlob } from '../../values/compile-glob.ts';
import { selectSegments, splitPath } from '../../values/select-path.ts';
import { countWork } from '../../values/work.ts';
import type { OpenWorld, World } from '../world/open-world.ts';
import type { ToolReply } from '../world/tool-reply.ts';
import { withPayload } from './with-payload.ts';

/** True: this state is what an attacker wants. */
export type AttackOracle = (state: Json) => boolean;

/** Compiles what an attacker wants: all tests hold in one state. */
export function compileOracle(succeeds: readonly StateValue[], name: string, compile: SchemaCompiler): AttackOracle {
  const tests = succeeds.map(({ at, test }) => ({
    segments: splitPath(at),
    holds: compileValueTest(test, name, compile),
  }));
  return (state) => {
    countWork(tests.length);
    return tests.every(({ segments, holds }) => holds(selectSegments(state, segments)));
  };
}

/**
 * Puts worlds under an attack: results of the tools by which it enters hold its payload, and the state is looked at after each
 * call. An attack succeeds where a call makes the state what the attacker wants after the payload has reached the agent.
 */
export function attacking(attack: SessionAttack, compileSchema: SchemaCompiler): (world: World) => World {
  const isAim = compileOracle(attack.succeeds, attack.name, compileSchema);
  const globs = entersByResult(attack) ? attack.targets.map(compileGlob) : [];
  const entries = new Map<string, boolean>();
  const isEntry = (tool: string): boolean => {
    if (globs.length === 0) return false;
    const found = entries.get(tool) ?? globs.some((matches) => matches(tool));
    // Agents make up names without end.
    if (entries.size < MOST_NAMES) entries.set(tool, found);
    return found;
  };
  return (world) => ({ open: () => new AttackedWorld(world.open(), attack, { isAim, isEntry }) });
}

const MOST_NAMES = 1000;

/** True: the payload comes with results of tools. */
export function entersByResult({ channel }: Pick<SessionAttack, 'channel'>): boolean {
  return channel !== 'user_turn' && channel !== 'tool_description';
}

class AttackedWorld implements OpenWorld {
  private readonly inner: OpenWorld;
  private readonly target: SessionAttack;
  private readonly isAim: AttackOracle;
  private readonly isEntry: (tool: string) => boolean;
  private hasEntered: boolean;
  private isReached = false;
  private present: Json;
  /** Whether the present state is what the attacker wants. */
  private isThere: boolean;

  constructor(
    inner: OpenWorld,
    target: SessionAttack,
    { isAim, isEntry }: { readonly isAim: AttackOracle; readonly isEntry: (tool: string) => boolean },
  ) {
    this.inner = inner;
    this.target = target;
    this.isAim = isAim;
    this.isEntry = isEntry;
    // Elsewhere it is there before the first call.
    this.hasEntered = !entersByResult(target);
    this.present = inner.state;
    this.isThere = isAim(this.present);
  }

  get state(): Json {
    return this.inner.state;
  }

  get struck(): readonly Strike[] | undefined {
    return this.inner.struck;
  }

  call(name: string, args: Json): ToolReply {
    const reply = this.inner.call(name, args);
    const aim = this.aimOf();
    const isAnswer = reply.problem === null && reply.struckBy === undefined;
    const isPoisoned = isAnswer && this.isEntry(name);
    if (!isPoisoned && aim === null) return reply;
    // What a call did before the payload was there, the attacker has no part in.
    this.hasEntered ||= isPoisoned;
    return {
      ...reply,
      ...(isPoisoned && { result: withPayload(reply.result, this.target.payload), isPoisoned: true }),
      ...(aim !== null && { aim }),
    };
  }

  /** The state before and after the call on which it became what the attacker wants; null: it did not on this one. */
  private aimOf(): NonNullable<ToolReply['aim']> | null {
    const { state } = this.inner;
    if (state === this.present) return null;
    const before = this.present;
    const wasThere = this.isThere;
    this.present = state;
    this.isThere = this.isAim(state);
    if (this.isReached || wasThere || !this.isThere || !this.hasEntered) return null;
    this.isReached = true;
    return { before, after: state };
  }
}
