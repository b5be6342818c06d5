import { ERROR_POLICIES } from '../../types/recording.ts';
import { EXPORTING, SCORING } from '../commands.ts';
import { type Kind, measure, oneOf, text, texts, UnreadableWord, yesOrNo } from '../kinds.ts';
import type { Table } from '../setting.ts';

const SHAPE = 'Expected name=value, such as task=case_id.';

const pairs: Kind<Readonly<Record<string, string>>> = {
  schema: null,
  read: (word, before) => {
    const [, name = '', value = ''] = /^([a-z][a-z-]*)=(.+)$/s.exec(word) ?? [];
    if (name === '') throw new UnreadableWord(SHAPE);
    return { ...(before as Readonly<Record<string, string>> | undefined), [name]: value };
  },
  problem: (fields) =>
    typeof fields === 'object' && fields !== null && Object.values(fields).every((value) => typeof value === 'string')
      ? null
      : 'must be an object of texts',
  isList: true,
};

/** Runs that other programs recorded, and how they are read. */
export const RECORDINGS = {
  /** Files and folders with recorded runs; they follow what `paths` give. */
  recordings: { kind: texts, option: 'load', default: [], paths: 'read' },
  /** The importer that reads them; absent: what stands in them tells. */
  format: {
    kind: text('the name of a format'),
    option: 'load',
    flag: {
      on: [...SCORING, 'import'],
      value: 'name',
      help: 'the format of the files (default: told by what stands in them)',
      isUnlisted: true,
    },
  },
  /** What an importer is told, such as the columns of a table, by name. */
  map: {
    kind: pairs,
    option: 'load',
    default: {},
    flag: {
      on: EXPORTING,

      value: 'name=value',
      help: 'what the format leaves open, such as task=case_id',
      isUnlisted: true,
    },
  },
  /** Whether errors that the source itself counts as verdicts are counted as its own tables have them. */
  upstreamSemantics: {
    kind: yesOrNo,
    option: 'load',
    default: false,
    flag: {
      on: EXPORTING,
      help: 'count errors as the tables of their source do (agentdojo)',
      isUnlisted: true,
    },
  },
  /** The score that decides; absent: the first that a run has. */
  scorer: {
    kind: text('the name of a score'),
    option: 'load',
    flag: { on: EXPORTING, value: 'name', help: 'the score that decides (default: the first)', isUnlisted: true },
  },
  /** A score of at least this means success; default 1. */
  passScore: {
    kind: measure,
    option: 'load',
    default: 1,
    flag: { on: EXPORTING, value: 'number', help: 'a score of at least this means success', isUnlisted: true },
  },
  /** Judges of `judges` by which recorded runs pass, in place of what their source says; []: that decides. */
  judgedBy: {
    kind: texts,
    option: 'load',
    default: [],
    flag: {
      on: ['score'],
      value: 'name',
      help: 'have this judge of passk.toml judge the runs, in place of their source',
      isUnlisted: true,
    },
  },
  /** What becomes of runs that ended by an error of their harness; default: they count as failures. */
  errors: {
    kind: oneOf(ERROR_POLICIES),
    option: 'load',
    default: 'fail',
    flag: {
      on: SCORING,
      value: 'policy',
      help: 'what errors of the harness count as: fail, exclude or block',
      isUnlisted: true,
    },
  },
} satisfies Table;
