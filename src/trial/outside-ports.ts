import type { EffectPort } from '../types/permissions.ts';
import type { WorkflowPlan } from '../types/plan.ts';
import type { OutsidePorts } from './trial-ports.ts';

const NOWHERE: OutsidePorts = { open: new Set(), alone: new Set() };

/** Which ports lead outside follows from the plan alone, so that a replay, which opens none, takes the same turns. */
export function outsidePorts({ effects = [], scenario }: WorkflowPlan): OutsidePorts {
  if (effects.length === 0) return NOWHERE;
  const { http, processes, mcp } = scenario.subject.world;
  const mocked = new Set<EffectPort>();
  if (http.length > 0) mocked.add('http');
  if (processes.length > 0) mocked.add('process');
  if (mcp.length > 0) mocked.add('mcp');
  const alone = effects.filter((port) => port !== 'env' && port !== 'file' && !mocked.has(port));
  return { open: new Set(effects), alone: new Set(alone) };
}
