import type { OpenRunner, RunnerStart, RunnerType } from '../plugin/runner-type.ts';

/** What a runner's file holds. */
interface RunnerModule {
  problems(start: RunnerStart): readonly string[];
  open(start: RunnerStart): Promise<OpenRunner>;
}

/** The validators that genkit-cli 1.43.0 knows. */
const GENKIT_VALIDATORS: readonly string[] = [
  'has-tool-request',
  'valid-json',
  'text-includes',
  'text-starts-with',
  'text-not-empty',
  'valid-media',
  'reasoning',
  'stream-text-includes',
  'stream-has-tool-request',
  'stream-valid-json',
];

/** All runners of passk. What one does is loaded when it is asked. */
export const builtinRunners: readonly RunnerType[] = [
  runner(
    'reflection',
    'Asks the reflection server of a Genkit program that is started, or of one that runs.',
    async () => {
      const { reflectionProblems, openReflection } = await import('./reflection/reflection.ts');
      return { problems: reflectionProblems, open: openReflection };
    },
  ),
  runner('reflection-v2', 'Asks a Genkit program that is started and connects over a WebSocket.', async () => {
    const { reflectionV2Problems, openReflectionV2 } = await import('./reflection-v2/reflection-v2.ts');
    return { problems: reflectionV2Problems, open: openReflectionV2 };
  }),
  runner('native', 'Asks a native executor: one JSON line to its input, one from its output.', async () => {
    const { nativeProblems, openNative } = await import('./native.ts');
    return { problems: nativeProblems, open: openNative };
  }),
  runner(
    'in-process',
    "Asks an entry module through Genkit's `generate`, or its own, in a process of its own.",
    async () => {
      const { inProcessProblems, openInProcess } = await import('./in-process.ts');
      return { problems: inProcessProblems, open: openInProcess };
    },
  ),
  {
    ...runner('cli', "Has Genkit's own `genkit dev:test-model` ask and judge.", async () => {
      const { genkitCliProblems, openGenkitCli } = await import('./genkit-cli.ts');
      return { problems: genkitCliProblems, open: openGenkitCli };
    }),
    judges: GENKIT_VALIDATORS,
    atOnce: 1,
  },
];

function runner(type: string, summary: string, load: () => Promise<RunnerModule>): RunnerType {
  return {
    kind: 'runner',
    type,
    summary,
    problems: async (start) => (await load()).problems(start),
    open: async (start) => (await load()).open(start),
  };
}
