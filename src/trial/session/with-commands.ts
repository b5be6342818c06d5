import { PasskError } from '../../errors.ts';
import type { Json } from '../../types/json.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { TrialRecord } from '../../types/record.ts';
import {
  COMMAND_CALL,
  type CommandCallPayload,
  type CommandCheck,
  type CommandVerdict,
} from '../../types/sessions/session-check.ts';
import type { HostCall } from '../live-ports.ts';
import type { CompiledSubject, SubjectRunner } from '../record/record-program.ts';

export interface CommandParts {
  readonly plan: SessionPlan;
  readonly commands: readonly CommandCheck[];
  /** Null: nobody is there who runs programs, which breaks trials. */
  readonly callHost: HostCall | null;
}

/**
 * Sessions that programs look at when they have ended, one after the other. What they say becomes a part of the record, so that
 * it can be judged anywhere and again. A program that gives no verdict breaks the trial.
 */
export function withCommands({ readNow, ...compiled }: CompiledSubject, parts: CommandParts): CompiledSubject {
  return { ...compiled, openRunner: () => new CommandedRunner(compiled.openRunner(), parts) };
}

class CommandedRunner implements SubjectRunner {
  private readonly inner: SubjectRunner;
  private readonly parts: CommandParts;

  constructor(inner: SubjectRunner, parts: CommandParts) {
    this.inner = inner;
    this.parts = parts;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const record = await this.inner.run(trial, signal);
    const { session, ending, world } = record;
    if (session === undefined || ending.status === 'broken') return record;
    const input = `${JSON.stringify({ state: world?.state?.after ?? null, record })}\n`;
    const said: { readonly check: string; readonly problem: string | null }[] = [];
    for (const [check, { name }] of this.parts.commands.entries()) {
      const verdict = await this.ask({ scenario: this.parts.plan.index, check, input }, signal);
      if (verdict.kind === 'broken') {
        return {
          ...record,
          ending: { status: 'broken', reason: `The check ${name} gave no verdict: ${verdict.reason}.` },
        };
      }
      said.push({ check: name, problem: verdict.kind === 'failed' ? verdict.reason : null });
    }
    return { ...record, session: { ...session, commands: said } };
  }

  private async ask(payload: CommandCallPayload, signal: AbortSignal): Promise<CommandVerdict> {
    const { callHost, plan } = this.parts;
    if (callHost === null) throw new PasskError('USAGE', 'Nobody is there who runs programs.');
    // Plain data both ways: made here, and by the function that runs programs.
    const said = await callHost(COMMAND_CALL, payload as unknown as Json, plan.traits.longestMs, signal);
    return said as unknown as CommandVerdict;
  }
}
