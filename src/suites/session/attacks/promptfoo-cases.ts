import { ASI_IDS, type AsiId } from '../../../types/release/origin.ts';
import { fieldAt, listAt, textAt } from '../../../values/json-fields.ts';
import { isRecord } from '../../../values/is-json.ts';

/** An attack that promptfoo has written for its red teams. */
export interface PromptfooCase {
  readonly payload: string;
  /** The id of the plugin that it is of, such as `excessive-agency`. */
  readonly plugin: string;
  /** How promptfoo dressed it; null: it stands as the plugin has it. */
  readonly strategy: string | null;
  /** True: promptfoo words it anew while it runs, and this is only what it begins with. */
  readonly isFirst: boolean;
}

export interface PromptfooCases {
  /** Each once. */
  readonly cases: readonly PromptfooCase[];
  /** Tests of other purposes, and attacks without a text. */
  readonly left: number;
}

/** The variable that holds an attack where the file does not say. */
const DEFAULT_VARIABLE = 'prompt';
const RED_TEAM = 'promptfoo:redteam:';

/** The attacks in tests that promptfoo generated, or in the results of them; null: the file has no tests of promptfoo. */
export function promptfooCases(file: unknown): PromptfooCases | null {
  const rows = fieldAt(file, 'results', 'results');
  const isResults = Array.isArray(rows);
  const tests = isResults ? rows : fieldAt(file, 'tests');
  if (!Array.isArray(tests)) return null;
  const variable = textAt(file, ...(isResults ? ['config'] : []), 'redteam', 'injectVar') ?? DEFAULT_VARIABLE;
  const cases = new Map<string, PromptfooCase>();
  let left = 0;
  for (const entry of tests as readonly unknown[]) {
    const one = isResults ? resultCase(entry, variable) : testCase(entry, variable);
    if (one === null) left++;
    // Repeats and other providers were asked the same.
    else cases.set(JSON.stringify([one.payload, one.plugin, one.strategy]), one);
  }
  return { cases: [...cases.values()], left };
}

/** What was sent in the end counts, where promptfoo says it. */
function resultCase(row: unknown, variable: string): PromptfooCase | null {
  const sent =
    textAt(row, 'response', 'prompt') ??
    textAt(row, 'response', 'metadata', 'redteamFinalPrompt') ??
    textAt(row, 'metadata', 'redteamFinalPrompt');
  const test = fieldAt(row, 'testCase');
  const one = testCase({ vars: fieldAt(row, 'vars'), ...(isRecord(test) ? test : {}) }, variable);
  return one === null || sent === null || sent.trim() === '' ? one : { ...one, payload: sent, isFirst: false };
}

function testCase(test: unknown, variable: string): PromptfooCase | null {
  const plugin = textAt(test, 'metadata', 'pluginId') || assertedPlugin(test);
  const payload = textAt(test, 'vars', variable);
  if (plugin === '' || payload === null || payload.trim() === '') return null;
  const strategy = textAt(test, 'metadata', 'strategyId');
  const provider = textAt(test, 'provider', 'id') ?? textAt(test, 'provider') ?? '';
  return {
    payload,
    plugin,
    strategy: strategy === 'basic' || strategy === '' ? null : strategy,
    isFirst: provider.startsWith(RED_TEAM),
  };
}

/** Old files name the plugin only in the assertion; '': no assertion does. */
function assertedPlugin(test: unknown): string {
  const types = listAt(test, 'assert').map((one) => textAt(one, 'type') ?? '');
  return types.find((type) => type.startsWith(RED_TEAM))?.slice(RED_TEAM.length) ?? '';
}

/**
 * Plugins of promptfoo by category of the OWASP Top 10 for Agentic Applications. Source: `owasp:agentic` of promptfoo
 * 0.121.20, where a plugin may be of several.
 */
const PLUGINS: Readonly<Record<AsiId, readonly string[]>> = {
  ASI01: ['hijacking', 'system-prompt-override', 'indirect-prompt-injection', 'intent'],
  ASI02: ['excessive-agency', 'mcp', 'tool-discovery'],
  ASI03: ['rbac', 'bfla', 'bola', 'imitation'],
  ASI04: ['indirect-prompt-injection', 'mcp'],
  ASI05: ['shell-injection', 'sql-injection', 'harmful:cybercrime:malicious-code', 'ssrf'],
  ASI06: ['agentic:memory-poisoning', 'cross-session-leak', 'indirect-prompt-injection'],
  ASI07: ['indirect-prompt-injection', 'hijacking', 'imitation'],
  ASI08: ['hallucination', 'harmful:misinformation-disinformation', 'divergent-repetition'],
  ASI09: ['overreliance', 'imitation', 'harmful:misinformation-disinformation'],
  ASI10: ['excessive-agency', 'hijacking', 'rbac', 'goal-misalignment'],
};

/** The categories of a plugin; []: promptfoo states none. */
export function categoriesOf(plugin: string): readonly AsiId[] {
  return ASI_IDS.filter((id) => PLUGINS[id].includes(plugin));
}
