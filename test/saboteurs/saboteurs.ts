import { answerDefects } from './defects/answers.ts';
import { attackDefects } from './defects/attacks.ts';
import { checkDefects } from './defects/checks.ts';
import { childDefects } from './defects/children.ts';
import { contractDefects } from './defects/contracts.ts';
import { dataDefects } from './defects/data.ts';
import { exactDefects } from './defects/exact.ts';
import { isolationDefects } from './defects/isolation.ts';
import { mockDefects } from './defects/mocks.ts';
import { modelDefects } from './defects/model.ts';
import { policyDefects } from './defects/policy.ts';
import { tableDefects } from './defects/table.ts';
import { walkDefects } from './defects/walk.ts';
import { worldDefects } from './defects/world.ts';
import { requestDefects } from './defects/requests.ts';
import type { Saboteur } from './saboteur.ts';

/** Every defect that the shipped corpus must notice. */
export const saboteurs: readonly Saboteur[] = [
  ...dataDefects,
  ...walkDefects,
  ...isolationDefects,
  ...childDefects,
  ...modelDefects,
  ...answerDefects,
  ...policyDefects,
  ...worldDefects,
  ...mockDefects,
  ...tableDefects,
  ...exactDefects,
  ...checkDefects,
  ...contractDefects,
  ...requestDefects,
  ...attackDefects,
];
