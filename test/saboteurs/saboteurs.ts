import { checkDefects } from './defects/checks.ts';
import { dataDefects } from './defects/data.ts';
import { modelDefects } from './defects/model.ts';
import { walkDefects } from './defects/walk.ts';
import { worldDefects } from './defects/world.ts';
import { tableDefects } from './defects/table.ts';
import type { Saboteur } from './saboteur.ts';

/** Every defect that the shipped corpus must notice. */
export const saboteurs: readonly Saboteur[] = [
  ...dataDefects,
  ...walkDefects,
  ...modelDefects,
  ...worldDefects,
  ...tableDefects,
  ...checkDefects,
];
