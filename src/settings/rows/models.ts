import type { JudgeSetting } from '../../types/judges/judge.ts';
import { isRecord } from '../../values/is-json.ts';
import type { ModelEndpoint } from '../../types/model-endpoint.ts';
import { type LiveNodeOptions, nodesProblem } from '../live-functions.ts';
import { ASKING, TRYING, JUDGING, LOADING, onModels, REPLAYING, RUNNING } from '../commands.ts';
import { type Kind, money, ofShape, text, texts, unchecked, wholeNumber, yesOrNo } from '../kinds.ts';
import type { ModelOption } from '../model-options.ts';
import { judgesSchema } from '../judges-schema.ts';
import { modelsSchema } from '../models-schema.ts';
import type { Table } from '../setting.ts';

/** Where answers are when a folder is not named. */
const DEFAULT_CACHE = '.passk/cache';

type Models = Readonly<Record<string, ModelEndpoint>>;

const models = ofShape<Readonly<Record<string, ModelOption>>, Models>(
  'an object of models by name',
  isRecord,
  modelsSchema,
);

const nodes: Kind<Readonly<Record<string, LiveNodeOptions>>> = { schema: null, read: null, problem: nodesProblem };

/** Who answers, and what that may cost. */
export const MODELS = {
  /** Ask models instead of turns, in every scenario; default false. */
  live: {
    kind: yesOrNo,
    option: 'load',
    default: false,
    flag: {
      on: [...LOADING, 'trace', ...JUDGING, ...TRYING],
      help: 'ask real models instead of the turns, which costs money',
      helpOn: onModels('agree to what it costs where passk asks models itself'),
    },
  },
  model: {
    kind: texts,
    flag: {
      on: [...LOADING, 'trace', ...JUDGING, ...TRYING],
      value: '[name=]provider:model[@url][,key=variable]',
      help: 'the real model behind a backend',
      helpOn: onModels('where passk finds a model that it asks itself'),
    },
  },
  /**
   * Models by backend name: functions of this process, which answer scenarios without turns, and real models, which
   * answer where `live` is set. In `passk.toml` one table each: `[models.default]`.
   */
  models: {
    kind: models,
    file: 'Real models by backend.',
    option: 'load',
    consent: {
      wants: 'send keys to servers that it names',
      isNeeded: (endpoints: Models) => Object.values(endpoints).some(({ baseUrl, apiKeyEnv }) => baseUrl ?? apiKeyEnv),
    },
  },
  /**
   * Models that judge trials, by the names that expectations give them. They are asked wherever an expectation names them,
   * whether `live` is set or not. In `passk.toml` one table each: `[[judges]]`.
   */
  judges: {
    kind: unchecked<readonly JudgeSetting[]>(judgesSchema),
    file: 'Models that judge trials.',
    option: 'run',
    default: [],
    consent: {
      wants: 'ask models to judge, which costs money',
      isNeeded: (judges: readonly JudgeSetting[]) => judges.length > 0,
    },
  },
  /** Node types whose work is done by functions of this process. */
  nodes: { kind: nodes, option: 'load', default: {} },
  /** What all calls to real models may cost together, in USD; the run stops before the call that could cost more. */
  maxCost: {
    kind: money,
    file: 'What all calls to real models may cost, in USD.',
    option: 'run',
    flag: { on: ASKING, value: 'usd', help: 'stop before the real models cost more' },
  },
  /** Tokens that all calls to real models may use together. */
  maxTokens: {
    kind: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    file: 'Tokens that all calls to real models may use.',
    option: 'run',
    flag: { on: ASKING, value: 'n', help: 'stop before the real models use more tokens' },
  },
  /**
   * A folder of answers of real models, which later runs reuse: each for the same request of the same trial. Reused answers
   * cost nothing, and are counted apart.
   */
  cache: {
    kind: text('the name of a folder'),
    file: 'A folder of answers of real models, which later runs reuse.',
    option: 'run',
    paths: 'written',
    flag: {
      on: [...RUNNING, 'judge calibrate', 'judge tunnel'],
      value: 'dir',
      bare: DEFAULT_CACHE,
      help: `reuse answers of real models to the same requests of the same trials (bare: ${DEFAULT_CACHE})`,
      no: { on: RUNNING, help: 'ask all anew, whatever the settings say' },
    },
  },
  /** Write what models and granted effects answer to this file, so that the run can be repeated without them. */
  record: {
    kind: text('the name of a file'),
    option: 'run',
    flag: {
      on: ASKING,
      value: 'file',
      help: 'keep what models and granted effects answer, to repeat the run without them',
    },
  },
  /** Take all answers from a file that was recorded: no grant, key or network is used. */
  replay: {
    kind: text('the name of a file'),
    option: 'run',
    flag: {
      on: [...REPLAYING, 'trace'],
      value: 'file',
      help: 'take all answers from a recorded file: no grant, key or network is used',
      helpOn: { trace: 'the cassette that the trial was recorded in' },
    },
  },
} satisfies Table;
