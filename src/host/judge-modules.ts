import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { judgeModule } from '../agents/judge-module.ts';
import type { Transport } from '../agents/target.ts';
import type { Json } from '../types/json.ts';
import type { JudgeModuleFile } from '../types/judges/judge.ts';
import { JUDGE_CALL, type JudgeCallPayload } from '../types/judges/judge-call.ts';
import { judgeModules } from '../types/judges/judge-modules.ts';
import type { RunPlan } from '../types/plan.ts';
import { plainUsage, textParts } from '../values/message-text.ts';
import type { Agents } from './agent-functions.ts';
import type { AgentServices } from './open-connections.ts';
import { Missing } from '../source/missing.ts';
import { Permits } from './permits.ts';

/** Processes of one module: each answers one question at a time. */
const AT_ONCE = 4;

/** Gets modules that judge ready. All of them are asked here, on the host. Throws `USAGE` with everything that is missing of grants. */
export function openJudgeModules(
  plan: RunPlan,
  services: Pick<AgentServices, 'permissions' | 'env'> & { readonly cwd: string },
): Agents {
  const missing = new Missing();
  const pools = new Map<string, ModulePool>();
  for (const module of judgeModules(plan)) {
    const pool = missing.take(() => new ModulePool(() => opened(module, services)));
    if (pool !== null) pools.set(module.file, pool);
  }
  missing.refuse();
  const call: HostFunction = async (value, signal) => {
    // Made by the ports of a judge, so the shape is known.
    const { module, question } = value as unknown as JudgeCallPayload;
    const pool = pools.get(module.file);
    if (pool === undefined) throw new PasskError('INTERNAL', 'A judge names no planned module.');
    return pool.ask(JSON.stringify(question), signal);
  };
  return {
    functions: { [JUDGE_CALL]: call },
    notices: () => ({ facts: {}, issues: [] }),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

function opened(
  { file, timeoutMs }: JudgeModuleFile,
  { cwd, permissions, env }: Parameters<typeof openJudgeModules>[1],
): Transport {
  const place = path.resolve(cwd, file);
  return judgeModule({ file: place, folder: path.dirname(place), timeoutMs, permissions, env });
}

/** So many processes of one module as are asked at once, a few at most. */
class ModulePool {
  private readonly open: () => Transport;
  private readonly permits = new Permits(AT_ONCE);
  private readonly idle: Transport[] = [];
  private readonly all: Transport[] = [];

  /** Throws what `open` does. */
  constructor(open: () => Transport) {
    this.open = open;
    this.idle.push(this.more());
  }

  async ask(question: string, signal: AbortSignal): Promise<Json> {
    await this.permits.enter(signal);
    const transport = this.idle.pop() ?? this.more();
    try {
      const { text, error, metadata } = await transport.call(question, { signal });
      if (error !== null) return { broken: `its module gave no verdict: ${error}` };
      const usage = metadata?.usage ?? null;
      const counted = usage === null ? null : plainUsage(usage.promptTokens, usage.completionTokens);
      // Plain data by its type.
      return { parts: textParts(text), usage: counted } as unknown as Json;
    } finally {
      this.idle.push(transport);
      this.permits.leave();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((transport) => transport.close()));
  }

  private more(): Transport {
    const transport = this.open();
    this.all.push(transport);
    return transport;
  }
}
