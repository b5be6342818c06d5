import type { JsonObject } from '../types/json.ts';

/** JSON documents that passk writes, by what writes them. */
export type OutputDocument =
  | 'report'
  | 'plan'
  | 'explain'
  | 'trace'
  | 'baseline'
  | 'history'
  | 'comparison'
  | 'release'
  | 'release-explanation'
  | 'certificate'
  | 'price'
  | 'canary'
  | 'canary-rehearsal'
  | 'canary-shadow'
  | 'golden'
  | 'golden-run'
  | 'table-audit'
  | 'set-audit'
  | 'judge-tunnel'
  | 'judge-calibration';

const SCHEMAS: Readonly<Record<OutputDocument, () => Promise<{ readonly default: JsonObject }>>> = {
  report: () => import('./schemas/report.json', { with: { type: 'json' } }),
  plan: () => import('./schemas/plan.json', { with: { type: 'json' } }),
  explain: () => import('./schemas/explain.json', { with: { type: 'json' } }),
  trace: () => import('./schemas/trace.json', { with: { type: 'json' } }),
  baseline: () => import('./schemas/baseline.json', { with: { type: 'json' } }),
  history: () => import('./schemas/history.json', { with: { type: 'json' } }),
  'table-audit': () => import('./schemas/table-audit.json', { with: { type: 'json' } }),
  'set-audit': () => import('./schemas/set-audit.json', { with: { type: 'json' } }),
  'judge-tunnel': () => import('./schemas/judge-tunnel.json', { with: { type: 'json' } }),
  'judge-calibration': () => import('./schemas/judge-calibration.json', { with: { type: 'json' } }),
  comparison: () => import('./schemas/comparison.json', { with: { type: 'json' } }),
  price: () => import('./schemas/price.json', { with: { type: 'json' } }),
  canary: () => import('./schemas/canary.json', { with: { type: 'json' } }),
  'canary-rehearsal': () => import('./schemas/canary-rehearsal.json', { with: { type: 'json' } }),
  'canary-shadow': () => import('./schemas/canary-shadow.json', { with: { type: 'json' } }),
  golden: () => import('./schemas/golden.json', { with: { type: 'json' } }),
  'golden-run': () => import('./schemas/golden-run.json', { with: { type: 'json' } }),
  release: () => import('./schemas/release.json', { with: { type: 'json' } }),
  certificate: () => import('./schemas/certificate.json', { with: { type: 'json' } }),
  'release-explanation': () => import('./schemas/release-explanation.json', { with: { type: 'json' } }),
};

/** JSON Schema (draft 2020-12) of a document that passk writes. `npm run schemas` makes it from the document's type. */
export async function outputSchema(document: OutputDocument): Promise<JsonObject> {
  const { default: schema } = await SCHEMAS[document]();
  return schema;
}
