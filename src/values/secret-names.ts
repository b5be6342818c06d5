import type { SecretSource } from '../types/workflow.ts';

/** A secret of the environment in the value of a header or variable. */
export const SECRET = /\{\{\s*secret:([^{}]+)\}\}/g;

/** Names of the secrets in a value, in order. */
export function secretsIn(value: string): readonly string[] {
  return Array.from(value.matchAll(SECRET), ([, name = '']) => name.trim());
}

/** The flags that grant the secrets of headers or variables; [] where there are none. `declared`: where some are kept. */
export function secretFlags(
  values: Readonly<Record<string, string>>,
  declared: readonly SecretSource[] = [],
): readonly string[] {
  const sources = new Map(declared.map((source) => [source.name, source]));
  const lists: Record<'env' | 'read' | 'run' | 'net', string[]> = { env: [], read: [], run: [], net: [] };
  for (const name of new Set(Object.values(values).flatMap(secretsIn))) {
    const source = sources.get(name);
    switch (source?.source) {
      case 'file':
        lists.read.push(source.path);
        break;
      case 'command':
        lists.run.push(source.argv[0] ?? '');
        break;
      case 'oauth2':
        lists.env.push(source.clientIdEnv, source.clientSecretEnv);
        lists.net.push(URL.canParse(source.tokenUrl) ? new URL(source.tokenUrl).host : 'HOST');
        break;
      default:
        lists.env.push(source?.variable ?? name);
    }
  }
  return Object.entries(lists).flatMap(([kind, words]) =>
    words.length === 0 ? [] : [`--allow-${kind}=${words.join(',')}`],
  );
}

/** True: no variable of the environment can have this name. */
export function isBadSecretName(name: string): boolean {
  return name === '' || /[=\s\p{Cc}]/u.test(name);
}
