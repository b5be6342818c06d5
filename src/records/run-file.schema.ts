import { ERROR_POLICIES } from '../types/recording.ts';
import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import { MAX_SHARDS } from '../types/shard.ts';
import { ENDPOINT_PROVIDERS } from '../types/model-endpoint.ts';
import { SAMPLERS, type Subject } from '../types/scenario.ts';
import type { SessionSubject } from '../types/session.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const trials = Type.Integer({ minimum: 0, maximum: 2 ** 32 });
const text = Type.String();
const chance = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 });
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const sampler = Type.Union(SAMPLERS.map((one) => Type.Literal(one)));

/** The shapes below are what other code relies on; keys beyond them are left alone. */
export const identitySchema = Type.Object({
  passk: text,
  seed: count,
  bail: count,
  stopEarly: Type.Optional(
    Type.Union([
      Type.Object({ rule: Type.Literal('curtail') }),
      Type.Object({ rule: Type.Literal('sprt'), falsePass: chance, falseFail: chance }),
    ]),
  ),
  grants: Type.Optional(Type.Array(text)),
  plugins: Type.Array(Type.Object({ name: text, digest })),
  modules: Type.Optional(Type.Array(Type.Object({ name: text, digest }))),
  scenarios: Type.Array(Type.Object({ name: text, file: text, trials, digest })),
});

/** First record of a cassette. */
export const cassetteHeadSchema = Type.Object({
  passk: text,
  created: count,
  settings: text,
  scenarios: Type.Array(Type.Object({ name: text, file: text, trials, digest })),
});

const BILL = {
  backend: text,
  calls: count,
  reused: count,
  retries: count,
  failures: count,
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  reasoningTokens: count,
  unknownUsage: count,
  nanoUsd: Type.Number({ minimum: 0 }),
  filtered: Type.Optional(count),
  cut: Type.Optional(count),
};

// Cassettes of before answers were reused have no word of them.
const billSchema = Type.Object({ ...BILL, reused: Type.Optional(count) });

/** Record of a cassette: what the outside world answered to one trial, in the words of the worker that ran it. */
export const cassetteTrialSchema = Type.Object({
  kind: Type.Literal('trial'),
  scenario: count,
  trial: count,
  part: Type.Optional(Type.Literal('judge')),
  bills: Type.Array(billSchema),
});

const issueSchema = Type.Object({
  code: text,
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  message: text,
  at: Type.Optional(Type.Object({ file: text, line: count, column: count, frame: Type.Optional(text) })),
  hint: Type.Optional(text),
});

export const outlineSchema = Type.Object({
  seed: count,
  sampler,
  timeoutMs: Type.Union([Type.Null(), count]),
  plugins: Type.Array(text),
  rows: Type.Array(
    Type.Union([
      Type.Null(),
      Type.Object({
        ok: Type.Literal(false),
        file: text,
        name: text,
        capabilities: Type.Array(text),
        trials: count,
        issues: Type.Array(issueSchema),
      }),
    ]),
  ),
  issues: Type.Array(issueSchema),
});

const workflowSchema = Type.Object({
  nodes: Type.Array(Type.Object({ id: text, type: text })),
  edges: Type.Array(Type.Object({ from: text, to: text, when: Type.Optional(text) })),
});

const workflowSubjectSchema = Type.Object({
  kind: Type.Literal('workflow'),
  workflow: workflowSchema,
  children: Type.Record(text, workflowSchema),
  turns: Type.Array(
    Type.Object({ id: Type.Optional(text), node: Type.Optional(text), variants: Type.Array(Type.Object({})) }),
  ),
});

const agentSubjectSchema = Type.Object({
  kind: Type.Literal('agent'),
  agent: Type.Object({}),
  prompts: Type.Array(text),
});

const modelSubjectSchema = Type.Object({
  kind: Type.Literal('model'),
  model: text,
  access: Type.Object({ runner: text, plugin: text, runtime: text }),
  test: Type.Object({ id: text, validators: Type.Array(Type.Object({ type: text })) }),
});

const pluginSubjectSchema = Type.Object({ kind: Type.Literal('plugin'), type: text, data: Type.Object({}) });

const recordingSubjectSchema = Type.Object({
  kind: Type.Literal('recording'),
  format: text,
  set: text,
  errors: Type.Union(ERROR_POLICIES.map((policy) => Type.Literal(policy))),
  sources: Type.Array(
    Type.Object({
      files: Type.Array(Type.Object({ name: text, bytes: count, sha256: text })),
      shared: Type.Object({}),
    }),
  ),
});

/** Every kind of agent in sessions, likewise. */
const SESSION_AGENTS = {
  canned: Type.Object({ kind: Type.Literal('canned') }),
  function: Type.Object({ kind: Type.Literal('function'), code: text }),
  module: Type.Object({ kind: Type.Literal('module'), file: text }),
  outside: Type.Object({ kind: Type.Literal('outside'), agent: Type.Object({}) }),
  model: Type.Object({ kind: Type.Literal('model'), model: text }),
} satisfies Readonly<Record<SessionSubject['agent']['kind'], TSchema>>;

const sessionSubjectSchema = Type.Object({
  kind: Type.Literal('session'),
  world: Type.Object({ state: Type.Object({}), tools: Type.Array(Type.Object({ name: text })) }),
  user: Type.Union([
    Type.Object({ opening: text }),
    Type.Object({ kind: Type.Literal('model'), model: text, card: Type.Object({}) }),
  ]),
  agent: Type.Union(Object.values(SESSION_AGENTS)),
});

/** Every kind of subject: the compiler asks for a missing one. */
const SUBJECTS = {
  workflow: workflowSubjectSchema,
  agent: agentSubjectSchema,
  model: modelSubjectSchema,
  recording: recordingSubjectSchema,
  plugin: pluginSubjectSchema,
  session: sessionSubjectSchema,
  answered: Type.Object({
    kind: Type.Literal('answered'),
    turns: Type.Array(Type.Object({ prompt: text, answer: text })),
  }),
} satisfies Readonly<Record<Subject['kind'], TSchema>>;

/** As far as a report reads a scenario; what only workers read is not looked at. */
export const scenarioPlanSchema = Type.Object({
  scenario: Type.Object({
    name: text,
    file: text,
    description: Type.Optional(text),
    capabilities: Type.Array(text),
    tags: Type.Array(text),
    minPassRate: Type.Union([Type.Null(), Type.Number()]),
    seed: Type.Union([Type.Null(), count]),
    sampler: Type.Union([Type.Null(), sampler]),
    subject: Type.Union(Object.values(SUBJECTS)),
    expected: Type.Object({}),
  }),
  sampler,
  trials,
  traits: Type.Object({
    sync: Type.Boolean(),
    repeatable: Type.Boolean(),
    place: Type.Union([Type.Literal('here'), Type.Literal('host'), Type.Literal('worker')]),
    orderGroup: Type.Union([Type.Null(), count]),
    waitsFor: Type.Optional(Type.Object({ name: text, atOnce: count, after: Type.Optional(text) })),
    longestMs: Type.Number(),
  }),
  blockSize: Type.Integer({ minimum: 1, maximum: 4096 }),
});

export const shardHeadSchema = Type.Object({
  index: Type.Integer({ minimum: 1, maximum: MAX_SHARDS }),
  count: Type.Integer({ minimum: 1, maximum: MAX_SHARDS }),
  digest,
  identity: text,
  outline: text,
});

export const journalHeadSchema = Type.Object({
  digest,
  identity: text,
  index: Type.Integer({ minimum: 1, maximum: MAX_SHARDS }),
  count: Type.Integer({ minimum: 1, maximum: MAX_SHARDS }),
});

/** The frame of a delta, but for its tally. */
export const deltaSchema = Type.Object({ scenario: count, fromBlock: count, toBlock: count });

const place = Type.Object({ file: text, line: count, column: count });
export const placesSchema = Type.Object({ checks: Type.Record(text, place), subject: place });

export const shardEndSchema = Type.Object({
  partial: Type.Boolean(),
  startedAt: Type.Integer({ minimum: 0, maximum: 8.64e15 }),
  durationMs: Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  workers: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  root: Type.Optional(text),
  live: Type.Optional(text),
});

/** Calls to real models, in a shard and in a journal. */
export const liveRowsSchema = Type.Array(
  Type.Object({
    ...BILL,
    nanoUsd: count,
    scenario: text,
    provider: Type.Union(ENDPOINT_PROVIDERS.map((one) => Type.Literal(one))),
    model: text,
    isPriced: Type.Boolean(),
  }),
);

export const liveCountsSchema = Type.Union([
  Type.Null(),
  Type.Object({ stoppedBy: Type.Union([Type.Null(), Type.Literal('budget')]), rows: liveRowsSchema }),
]);
