import { Type } from '../../source/schema-type.ts';
import { CONTEXT_ATTACK_TYPES, DRIFT_TYPES, LLM_FAULT_MODES, TOOL_FAULT_MODES } from '../../types/chaos.ts';
import { oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

/** Milliseconds that a fault may take at most; a day. */
const LONGEST_MS = 86_400_000;
/** Words or tokens that a fault may leave or add at most. */
const MOST_WORDS = 1_000_000;

const milliseconds = (description: string) => Type.Integer({ minimum: 0, maximum: LONGEST_MS, description });
const words = (description: string) => Type.Integer({ minimum: 0, maximum: MOST_WORDS, description });
const chance = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const trigger = {
  probability: maybe(chance('Chance, 0 to 1, that a call is hit; left out: every call is.')),
  after_calls: maybe(Type.Integer({ description: 'Calls that go well before it starts; default 0.' })),
};

/** Of calls of tools that have neither an address nor a clock. */
const TIMELESS_MODES = TOOL_FAULT_MODES.filter((mode) => mode !== 'slow');

const toolFault = strictTable(
  {
    tool: maybe(text('Which tools: a glob on the name of a node, a program, an MCP tool or a host; `*` is all.')),
    mode: maybe(oneOf(TOOL_FAULT_MODES, 'What goes wrong.')),
    match_url: maybe(text('A glob on the whole URL, which then decides instead of `tool`.')),
    delay_ms: maybe(milliseconds('For `timeout` (default 30000) and `slow` (default 5000).')),
    error_code: maybe(
      Type.Integer({ minimum: 100, maximum: 599, description: 'HTTP status, for `error`; default 503.' }),
    ),
    message: maybe(text('Body of the answer, for `error`; default `Service Unavailable`.')),
    payload: maybe(text('Body of the answer, for `malicious_response`.')),
    ...trigger,
  },
  'A fault of tools.',
);

/** A fault of tools that are called in a session. */
export const sessionFault = strictTable(
  {
    tool: text('Which tools: a glob on their names; `*` is all.'),
    mode: oneOf(TIMELESS_MODES, 'What goes wrong.'),
    error_code: maybe(Type.Integer({ minimum: 100, maximum: 599, description: 'For `error`; default 503.' })),
    message: maybe(text('What the agent is told, for `error`; default `Service Unavailable`.')),
    payload: maybe(text('What the tool gives, for `malicious_response`.')),
    ...trigger,
  },
  'A fault of tools.',
);

const llmFault = strictTable(
  {
    mode: maybe(oneOf(LLM_FAULT_MODES, 'What goes wrong.')),
    max_tokens: maybe(words('Words that are left, for `truncated_response`; default 10.')),
    delay_ms: maybe(milliseconds('How long nothing comes, for `timeout`; default 300000.')),
    drift_type: maybe(oneOf(DRIFT_TYPES, 'How answers change, for `response_drift`; default `json_field_rename`.')),
    severity: maybe(oneOf(['subtle', 'moderate', 'significant'], 'How much they change; default `subtle`.')),
    direction: maybe(oneOf(['expand', 'compress'], 'For `verbosity_shift`; default `expand`.')),
    factor: maybe(
      Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'For `verbosity_shift`; default 2.' }),
    ),
    ...trigger,
  },
  'A fault of models.',
);

const attackKeys = {
  payloads: maybe(texts('Texts of which one is drawn each time it strikes.')),
  payload: maybe(text('The only text.')),
  strategy: maybe(oneOf(['append', 'prepend', 'replace'], 'Where the text goes; default `append`.')),
  trigger_probability: maybe(
    chance('Chance, 0 to 1, that it strikes; default 0.3 for `indirect_injection`, 1 for the others.'),
  ),
  inject_tokens: maybe(words('Words of filler that `overflow` adds; default 5000.')),
  inject_at: maybe(Type.Integer({ minimum: 1, description: 'The call it strikes, from 1; left out: every call.' })),
};

const attackList = Type.Array(
  strictTable(
    { type: maybe(oneOf(CONTEXT_ATTACK_TYPES, 'What is done to the context.')), ...attackKeys },
    'An attack by way of what the subject reads.',
  ),
  { description: 'Attacks by way of what the subject reads.' },
);

const attackTable = strictTable(
  Object.fromEntries(
    CONTEXT_ATTACK_TYPES.map((type) => [
      type,
      maybe(
        strictTable(
          { enabled: maybe(Type.Boolean({ description: 'False: it is left out.' })), ...attackKeys },
          'The attack of this type.',
        ),
      ),
    ]),
  ),
  'Attacks by their type.',
);

/** Keys of a table that holds chaos. */
export const chaosKeys = {
  profile: maybe(text('A built-in profile or a file with one, whose chaos comes before what stands here.')),
  tool_faults: maybe(Type.Array(toolFault, { description: 'Faults of tools; the first that strikes wins.' })),
  llm_faults: maybe(Type.Array(llmFault, { description: 'Faults of models, applied one after the other.' })),
  evidence: maybe(
    oneOf(
      ['struck', 'in_force'],
      'Which trials prove something: `struck`, the default, those that a fault struck; `in_force`, all of them.',
    ),
  ),
  context_attacks: maybe(
    Type.Union([attackList, attackTable], { description: 'Attacks, as a list or as a table by type.' }),
  ),
};

/** `[chaos]`: what goes wrong around the subject outside of the matrix. */
export const chaosSchema = strictTable(chaosKeys, 'What goes wrong around the subject.');
