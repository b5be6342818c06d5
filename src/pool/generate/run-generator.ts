import { PasskError } from '../../errors.ts';
import { type Candidate, type CandidateOf, makeCandidate } from '../../generators/make-candidate.ts';
import type { GeneratorType } from '../../plugin/generator-type.ts';
import { loadPlugins } from '../../plugin/load-plugins.ts';
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

/** Generates one scenario in a worker that does nothing else. The generator is loaded first, and from then on denied all else. */
export async function runGenerator({ plugins, type, of }: GenerateTask): Promise<Candidate | null> {
  if (loaded?.type !== type) {
    const found = (await loadPlugins(plugins)).find((one) => one.kind === 'generator' && one.type === type);
    if (found?.kind !== 'generator') throw new PasskError('PLUGIN', `No plug-in brings the generator "${type}".`);
    loaded = found;
    denyOutside();
  }
  const generator = loaded;
  if (of === null) return null;
  const { kind, summary } = generator;
  const generate: GeneratorType['generate'] = (request) => withoutChance(() => generator.generate(request));
  return makeCandidate({ kind, type, summary, generate }, of);
}
