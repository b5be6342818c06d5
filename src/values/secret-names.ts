/** A secret of the environment in the value of a header or variable. */
export const SECRET = /\{\{\s*secret:([^{}]+)\}\}/g;

/** Names of the secrets in a value, in order. */
export function secretsIn(value: string): readonly string[] {
  return Array.from(value.matchAll(SECRET), ([, name = '']) => name.trim());
}

/** The flag that grants the secrets of headers or variables; [] where there are none. */
export function allowEnvFlag(values: Readonly<Record<string, string>>): readonly string[] {
  const names = [...new Set(Object.values(values).flatMap(secretsIn))];
  return names.length === 0 ? [] : [`--allow-env=${names.join(',')}`];
}

/** True: no variable of the environment can have this name. */
export function isBadSecretName(name: string): boolean {
  return name === '' || /[=\s\p{Cc}]/u.test(name);
}
