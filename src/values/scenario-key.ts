/** A key of a map for each scenario of a run: several files may give one name. */
export function scenarioKey({ name, file }: { readonly name: string; readonly file: string | null }): string {
  return JSON.stringify([name, file]);
}
