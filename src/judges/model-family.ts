/** Names of models by whose they are, as their first words. Longer words of one family come with the shorter ones. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  openai: ['gpt', 'chatgpt', 'o1', 'o3', 'o4', 'codex', 'davinci'],
  anthropic: ['claude'],
  google: ['gemini', 'gemma', 'palm', 'learnlm'],
  meta: ['llama', 'codellama', 'meta-llama'],
  mistral: ['mistral', 'mixtral', 'ministral', 'magistral', 'codestral', 'devstral', 'pixtral', 'open-mistral'],
  qwen: ['qwen', 'qwq', 'qvq'],
  deepseek: ['deepseek'],
  xai: ['grok'],
  cohere: ['command', 'aya'],
  microsoft: ['phi', 'wizardlm'],
  amazon: ['nova', 'titan'],
  zhipu: ['glm', 'chatglm'],
  moonshot: ['kimi', 'moonshot'],
  ibm: ['granite'],
  nvidia: ['nemotron'],
};

/**
 * Whose model it is, by its name, as providers and gateways write it: `gpt-4.1-mini`, `openai/gpt-4.1`,
 * `us.anthropic.claude-sonnet-4`, `ft:gpt-4o:acme::7`. Null: nobody can tell from the name.
 */
export function modelFamily(model: string): string | null {
  // The last part that is a model of somebody decides: before it stand gateways, regions and vendors.
  const parts = model.toLowerCase().split(/[/:@]|\.(?=[a-z])/);
  for (const part of parts.reverse()) {
    const family = Object.entries(FAMILIES).find(([, words]) => words.some((word) => startsWith(part, word)));
    if (family !== undefined) return family[0];
  }
  return null;
}

/** A word ends where no letter follows: `o1-mini`, `gpt4`, `llama3`, and not `phillip`. */
function startsWith(name: string, word: string): boolean {
  return name.startsWith(word) && !/^[a-z]/.test(name.slice(word.length));
}
