/** `max_llm_calls` → `maxLlmCalls`. */
export function camelCase(key: string): string {
  if (!key.includes('_')) return key;
  return key.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
