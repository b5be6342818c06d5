import { PasskError } from '../../src/errors.ts';
import type { CompileProgram, Executor } from '../../src/pool/executor.ts';
import { runInline } from '../../src/pool/inline-executor.ts';

/** Runs built-in pure scenarios with short trials on the calling thread; refuses all others. */
export function createInlineExecutor(options: { readonly compile: CompileProgram }): Executor {
  let closed = false;
  return {
    async *run(plan, runOptions = {}) {
      if (closed) throw new PasskError('POOL', 'The executor is closed.');
      yield* runInline(plan, { ...runOptions, compile: options.compile, isClosed: () => closed });
    },
    async close() {
      closed = true;
    },
  };
}
