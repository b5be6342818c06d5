import { Type } from '../../source/schema-type.ts';
import { onModels, REPORTING, RUNNING } from '../commands.ts';
import { data, howMany, type Kind, share, texts, UnreadableWord, yesOrNo } from '../kinds.ts';
import type { Table } from '../setting.ts';
import type { StopEarlyOption } from '../stop-early-option.ts';

const BARRED = [...RUNNING, 'certify', 'plan', 'merge'] as const;

type StopWord = boolean | 'curtail' | 'sprt';

const stopRule: Kind<StopWord, StopEarlyOption> = {
  schema: data(Type.Union([Type.Boolean(), Type.Literal('curtail'), Type.Literal('sprt')])),
  read: (text) => {
    const word = text.trim().toLowerCase();
    if (word === 'curtail' || word === 'sprt') return word;
    if (['1', 'true', 'yes', 'on'].includes(word)) return 'curtail';
    if (['0', 'false', 'no', 'off'].includes(word)) return false;
    throw new UnreadableWord('Expected curtail or sprt.');
  },
  problem: () => null,
};

/** What a run must reach, and when it has run enough. */
export const VERDICT = {
  /** A floor in [0, 1] that every scenario must reach. */
  minPassRate: {
    kind: share,
    file: 'The pass rate that every scenario must reach.',
    option: 'run',
    flag: {
      on: BARRED,
      value: 'rate',
      help: 'the pass rate from 0 to 1 that every scenario must reach',
      helpOn: onModels('the pass rate from 0 to 1 that every test must reach'),
      ofWholeRun: true,
    },
  },
  /** What the overall score of contracts must reach, in [0, 1]. */
  minScore: {
    kind: share,
    option: 'run',
    flag: {
      on: [...RUNNING, 'merge'],
      value: 'score',
      help: 'the overall score from 0 to 1 that contracts must reach',
      ofWholeRun: true,
    },
  },
  /** Conditions that the run must meet as well, such as `pass_rate.lower(0.95) >= 0.9`. */
  gates: {
    kind: texts,
    file: 'Further conditions on the run, such as "pass^8 >= 0.9".',
    option: 'run',
    default: [],
    flag: {
      on: BARRED,
      value: 'expression',
      help: "a condition that the run must meet, such as 'pass^8 >= 0.9'",
      ofWholeRun: true,
    },
  },
  /** End each scenario as soon as its verdict is settled; true: `curtail`; default false. */
  stopEarly: {
    kind: stopRule,
    file: 'End each scenario when its verdict is settled, or when a sequential test has decided.',
    option: 'run',
    flag: {
      on: [...REPORTING, 'plan'],
      value: 'sprt',
      bare: 'curtail',
      help: 'end a scenario when its verdict is settled, or when a test (sprt) decides',
    },
  },
  /** Run trials that must be the same once and count the others like them; default false. */
  dedupe: {
    kind: yesOrNo,
    file: true,
    option: 'run',
    default: false,
    flag: { on: RUNNING, help: 'run trials that must be the same once, and count the others like them' },
  },
  /** Say in the report what trials cost, by model, tool and attempt, for `passk price`; default false. Takes a row of each trial. */
  ledger: {
    kind: yesOrNo,
    file: 'Reports say what trials cost, by model, tool and attempt.',
    option: 'run',
    default: false,
    flag: { on: REPORTING, help: 'say in the report what trials cost, by model, tool and attempt, for passk price' },
  },
  /**
   * Stop with so many failing scenarios: at the block of the first failing trial of the last of them, in the order of scenarios
   * and trials. True is 1; false and 0, the default, run all.
   */
  bail: {
    kind: howMany,
    file: true,
    option: 'run',
    default: 0,
    defaultText: 'run all',
    flag: {
      on: REPORTING,
      value: 'n',
      bare: '1',
      help: 'stop at the first failing trial, or with n at that of the n-th scenario that fails',
      helpOn: onModels('stop at the first failing trial, or with n at that of the n-th test that fails'),
    },
  },
} satisfies Table;
