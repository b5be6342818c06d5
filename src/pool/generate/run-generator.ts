import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { PasskError } from '../../errors.ts';
import { type Candidate, type CandidateOf, makeCandidate } from '../../generators/make-candidate.ts';
import type { GeneratorType } from '../../plugin/generator-type.ts';
import { loadPlugins } from '../../plugin/load-plugins.ts';
import { failedText } from '../../values/thrown-at.ts';
import { denyOutside, withoutChance } from './deny-outside.ts';

/** What a worker generates. */
export interface GenerateTask {
  /** Modules of plug-ins, as `file:` URLs. */
  readonly plugins: readonly string[];
  /** The word of the generator. */
  readonly type: string;
  /** Null: the generator is only loaded. */
  readonly of: CandidateOf | null;
}

let loaded: GeneratorType | null = null;
/** What code of the generator threw when nobody listened any more. */
const late: unknown[] = [];

/** Generates one scenario in a worker that does nothing else. The generator is loaded first, and from then on denied all else. */
export async function runGenerator({ plugins, type, of }: GenerateTask): Promise<Candidate | null> {
  if (loaded?.type !== type) {
    const found = (await loadPlugins(plugins)).find((one) => one.kind === 'generator' && one.type === type);
    if (found?.kind !== 'generator') throw new PasskError('PLUGIN', `No plug-in brings the generator "${type}".`);
    loaded = found;
    denyOutside();
    // Node itself would end the thread, by a function that is denied now.
    process.on('uncaughtException', (error) => {
      late.push(error);
    });
  }
  const generator = loaded;
  if (of === null) return null;
  const { kind, summary } = generator;
  const generate: GeneratorType['generate'] = (request) => withoutChance(() => generator.generate(request));
  late.length = 0;
  const made = makeCandidate({ kind, type, summary, generate }, of);
  // By then whatever was rejected has been heard of.
  await setImmediate();
  return made.ok && late.length > 0 ? lateFailure(made, late[0]) : made;
}

/** A scenario whose code goes on after it has answered does not follow from its seed alone. */
function lateFailure({ n, seed }: Candidate, error: unknown): Candidate {
  const failed = failedText(error, new Error('here'));
  return { ok: false, n, seed, reason: 'threw', detail: `Its generator ${failed}, after it had answered` };
}
