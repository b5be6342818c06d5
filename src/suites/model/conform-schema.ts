import { Type } from '../../source/schema-type.ts';
import { mapOf, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

const seconds = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 86_400, description });
const atLeast = (minimum: number, description: string) => Type.Integer({ minimum, maximum: 10_000, description });

/** Words that `runner` of conform.toml takes; `auto` leaves it to the runtime. */
export const CONFORM_RUNNERS = ['auto', 'native', 'reflection', 'in-process'] as const;

const RUNNERS = oneOf(CONFORM_RUNNERS, 'How models are asked: auto (default) takes the default-runner of the runtime.');

const runtime = strictTable(
  {
    'specs-dir': maybe(text('The folder with one folder for each plug-in; needed unless --specs-dir names it.')),
    'plugins-dir': maybe(text('The folder with the sources of all plug-ins; needed by `passk model lint`.')),
    'entry-command': maybe(texts('What runs an entry: a program and its arguments.')),
    cwd: maybe(text('Where it runs; default: the folder of this file.')),
    'entry-filename': maybe(text('The program beside each spec file that registers the models.')),
    'native-entry-filename': maybe(text('The executor beside each spec file, for the native runner.')),
    'default-runner': maybe(RUNNERS),
    'model-marker': maybe(text('Files that show that a plug-in brings models, such as models.ts.')),
  },
  'How the entries of one language are run.',
);

/** `[conform]`: how models are asked. The keys are those of Genkit's conform 0.2. */
export const conformSchema = strictTable(
  {
    concurrency: maybe(atLeast(1, 'Plug-ins asked at a time; default 8.')),
    'test-concurrency': maybe(atLeast(1, 'Questions at a time to the models of one plug-in; default 3.')),
    'max-retries': maybe(atLeast(0, 'Attempts after the first, for what may pass by itself; default 2.')),
    'retry-base-delay': maybe(
      Type.Number({
        minimum: 0,
        maximum: 60,
        description: 'Seconds: the longest first wait before a retry; default 1.',
      }),
    ),
    'action-timeout': maybe(seconds('Seconds for one answer; default 120.')),
    'health-timeout': maybe(seconds('Seconds for one look whether a server answers; default 5.')),
    'startup-timeout': maybe(seconds('Seconds for an entry to start; default 30.')),
    runner: maybe(RUNNERS),
    'additional-model-plugins': maybe(texts('Plug-ins that bring models although no file shows it.')),
    env: maybe(mapOf(Type.Array(Type.String()), 'Variables that each plug-in needs.')),
    'plugin-overrides': maybe(
      mapOf(
        strictTable(
          {
            'test-concurrency': maybe(atLeast(1, 'In place of the global one.')),
            'action-timeout': maybe(seconds('In place of the global one.')),
          },
          'What holds for one plug-in.',
        ),
        'What holds for single plug-ins.',
      ),
    ),
    'model-overrides': maybe(
      mapOf(
        strictTable({ 'action-timeout': maybe(seconds("In place of the plug-in's.")) }, 'What holds for one model.'),
        'What holds for single models.',
      ),
    ),
    runtimes: maybe(mapOf(runtime, 'Languages in which plug-ins are written.')),
  },
  'How models are asked.',
);
