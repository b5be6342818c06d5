import type { Saboteur } from './saboteur.ts';

/** Who noticed one saboteur: positions of scenarios. */
export interface Kill {
  readonly saboteur: Saboteur;
  readonly killers: readonly number[];
}

/** Saboteurs in rows, scenarios in columns, by number; then which scenarios kill none. */
export function renderKillMatrix(kills: readonly Kill[], scenarios: readonly string[]): string {
  const width = Math.max(0, ...kills.map(({ saboteur }) => saboteur.name.length));
  const counts = scenarios.map((_, index) => kills.filter(({ killers }) => killers.includes(index)).length);
  const rows = kills.map(({ saboteur, killers }) => {
    const marks = scenarios.map((_, index) => (killers.includes(index) ? '#' : '·')).join('');
    return `${saboteur.name.padEnd(width)} ${marks} ${killers.length}`;
  });
  const only = new Map<number, string[]>();
  for (const { saboteur, killers } of kills) {
    const [sole] = killers;
    if (sole !== undefined && killers.length === 1) only.set(sole, [...(only.get(sole) ?? []), saboteur.name]);
  }
  const legend = scenarios.map((name, index) => {
    const sole = only.get(index) ?? [];
    return `${String(index + 1).padStart(3)} ${name}: kills ${counts[index]}${sole.length > 0 ? `, alone: ${sole.join('; ')}` : ''}`;
  });
  const idle = scenarios.filter((_, index) => counts[index] === 0);
  return [
    ...rows,
    '',
    ...legend,
    '',
    `${kills.length} saboteurs, ${kills.filter(({ killers }) => killers.length > 0).length} dead.`,
    idle.length === 0 ? 'Every scenario kills some.' : `Scenarios that kill none: ${idle.join(', ')}.`,
    '',
  ].join('\n');
}
