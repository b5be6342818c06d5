import { NOTHING } from '../effects/granted/a-disk.ts';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createTarget } from '../../src/agents/create-target.ts';
import type { CallOptions, Target, TargetAnswer } from '../../src/agents/target.ts';
import type { Agent } from '../../src/types/agent.ts';
import type { Permissions } from '../../src/types/permissions.ts';

export const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

export interface TargetGiven extends Partial<Permissions> {
  readonly variables?: Readonly<Record<string, string>>;
  readonly proxyUrl?: string;
}

/** An agent of the fixtures folder, closed when the test is over. */
export function aTarget(
  agent: Partial<Agent> & Pick<Agent, 'target'>,
  { variables = {}, proxyUrl, ...granted }: TargetGiven = {},
): Target & { ask(prompt: string, options?: Partial<CallOptions>): Promise<TargetAnswer> } {
  const whole: Agent = {
    timeoutMs: 20_000,
    retries: 0,
    reset: null,
    atOnce: null,
    isolation: 'cell',
    proxy: null,
    ...agent,
  };
  const target = createTarget(whole, {
    permissions: { ...NOTHING, ...granted },
    env: variables,
    folder: FIXTURES,
    root: FIXTURES,
    proxy: proxyUrl === undefined ? null : { url: proxyUrl },
  });
  onTestFinished(() => target.close());
  return {
    ...target,
    ask: (prompt, options) => target.call(prompt, { signal: new AbortController().signal, ...options }),
  };
}

/** What was said, without how it was come by. */
export async function answerOf(asked: Promise<TargetAnswer>): Promise<Pick<TargetAnswer, 'text' | 'error'>> {
  const { text: said, error: why } = await asked;
  return { text: said, error: why };
}

export const text = (of: string) => ({ text: of, error: null });
export const error = (of: unknown) => ({ text: '', error: of });
