import type { MadeScenario } from '../../scenario/objects/define-agent-scenario.ts';
import { MAX_FILE_BYTES } from '../../source/max-file-bytes.ts';
import { TRYING, JUDGING, LOADING, ON_SCENARIOS, onModels } from '../commands.ts';
import { isoWeek, ofShape, oneOf, text, texts, wholeNumber } from '../kinds.ts';
import type { Table } from '../setting.ts';
import { SUITE_PARTS } from '../suite-part.ts';

/** Which scenarios are loaded, and what they may name. */
export const SELECTION = {
  /** Scenarios and contracts made in memory, with `defineScenario`, `defineAgentScenario` and `defineContract`; they follow those of `paths`. */
  scenarios: {
    kind: ofShape<readonly MadeScenario[]>('a list of scenarios', Array.isArray),
    option: 'load',
    default: [],
  },
  /** What relative paths start from; absent: the process's working directory. */
  cwd: { kind: text('the name of a folder'), option: 'load' },
  /** Only scenarios whose name contains one of these, or matches one written as `/pattern/`; `!` before it leaves them out. */
  names: {
    kind: texts,
    file: 'Only scenarios whose name contains one of these, or matches one written as /pattern/; ! before it leaves them out.',
    option: 'load',
    default: [],
    flag: {
      on: [...LOADING, ...JUDGING, 'release init'],
      short: 'n',
      value: 'pattern',
      help: 'only scenarios whose name contains this, or matches /this/; !this leaves them out',
      helpOn: onModels('only tests whose name, `plug-in: model: test`, contains this, or matches /this/'),
    },
  },
  /** Only scenarios with one of these tags or capabilities; `!` before one leaves them out. */
  tags: {
    kind: texts,
    file: 'Only scenarios with one of these tags or capabilities; ! before one leaves them out.',
    option: 'load',
    default: [],
    flag: {
      on: [...LOADING, ...JUDGING, 'release init'],
      value: 'tag',
      help: 'only scenarios with this tag or capability; !this leaves them out',
      helpOn: onModels('only tests of this capability'),
    },
  },
  /** Modules with plug-ins: paths from `cwd`, package names, or `file:` URLs. */
  plugins: {
    kind: texts,
    file: 'Modules with plug-ins that scenarios may name.',
    option: 'load',
    default: [],
    paths: 'modules',
    consent: { wants: 'run code', isNeeded: (modules: readonly string[]) => modules.length > 0 },
    flag: {
      on: [
        ...LOADING,
        'audit set',
        ...JUDGING,
        ...TRYING,
        'release init',
        'compare',
        'export',
        'price',
        'import',
        'trace',
        'explain',
        'worker',
        'merge',
        'plugins',
      ],
      value: 'module',
      help: 'a module with plug-ins that scenarios may name',
      helpOn: {
        plugins: 'a module with plug-ins',
        ...onModels('a module with runners or validators'),
      },
    },
  },
  /** Files larger than this many bytes are refused; default 1 MiB. */
  maxFileSize: {
    kind: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    file: 'Larger scenario and workflow files are refused, in bytes.',
    option: 'load',
    default: MAX_FILE_BYTES,
    defaultText: '1 MiB',
    flag: {
      on: [...LOADING, ...JUDGING, ...TRYING, 'release init'],
      value: 'bytes',
      help: 'refuse larger scenario and workflow files',
      helpOn: onModels('refuse larger spec files'),
    },
  },
  /** The ISO week that files with `[generate]` draw from, in place of their own week or seed; absent: theirs. */
  week: {
    kind: isoWeek,
    file: 'The ISO week that files with [generate] draw from, in place of their own week or seed.',
    option: 'load',
    flag: {
      on: [...ON_SCENARIOS, 'audit set', ...JUDGING, ...TRYING, 'release init', 'trace', 'explain'],
      value: 'week',
      help: 'generate scenarios of this ISO week, such as 2026-W48, whatever their files say',
    },
  },
  /** A file with `[[agents]]`, which are tried on the tasks of sessions in place of all others; absent: each file has its own. */
  agents: {
    kind: text('the name of a file'),
    option: 'load',
    paths: 'read',
    flag: {
      on: [...ON_SCENARIOS, ...TRYING, 'trace'],
      value: 'file',
      help: 'try the agents of this file on the tasks of sessions, in place of their own',
    },
  },
  /** Only scenarios, or only contracts; absent: both. */
  only: { kind: oneOf(SUITE_PARTS), option: 'load' },
} satisfies Table;
