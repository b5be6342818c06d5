// Modules that most runs never need, though others import them: in the app's bundle they are loaded by the first call of
// one of their functions. That takes longer than a plain call, so nothing that is called trial by trial belongs here, and
// nothing that every run calls.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const COLD = [
  'baseline/compare-runs',
  'baseline/forecast',
  'baseline/history-trends',
  'baseline/price-table',
  'checks/invariants/invariant-checks',
  'cli/commands/chaos',
  'cli/commands/ci',
  'cli/commands/config',
  'cli/commands/contract',
  'cli/commands/explain',
  'cli/commands/history',
  'cli/commands/init',
  'cli/commands/list',
  'cli/commands/merge',
  'cli/commands/plan',
  'cli/commands/plugins',
  'cli/commands/schema',
  'cli/commands/trace',
  'cli/commands/validate',
  'cli/commands/worker',
  'cli/shard-run',
  'contract/contract-scenarios',
  'contract/fold-cell',
  'contract/fold-contracts',
  'contract/load-profiles',
  'contract/read-contract-file',
  'effects/granted/create-effects',
  'effects/granted/net-grant',
  'engine/find-json-problem',
  'engine/prepare-json-schema',
  'faults/chaos/compile-chaos',
  'gate/describe-planned',
  'gate/describe-stop',
  'gate/judge-contracts',
  'gate/judge-gate',
  'gate/parse-gate',
  'gate/read-scenario',
  'gate/read-suite',
  'gate/regression-gate',
  'gate/settle-scenario',
  'intelligence/live/live-models',
  'pool/cassette-reader',
  'pool/inspect-in-worker',
  'pool/journal',
  'pool/journaled',
  'pool/queue/queue-executor',
  'pool/queue/redis-address',
  'pool/queue/serve-queue',
  'pool/tally-codec',
  'pool/worker-url',
  'pool/workers-executor',
  'report/contract-matrix',
  'report/drift-lines',
  'report/forecast-lines',
  'report/html-data',
  'report/live-lines',
  'report/render-answer-tree',
  'report/render-event',
  'report/render-github',
  'report/render-history',
  'report/render-json',
  'report/render-junit',
  'report/render-markdown',
  'report/render-ndjson',
  'report/render-plan',
  'report/render-reference-json',
  'report/render-shard',
  'report/render-tap',
  'report/render-trace',
  'scenario/check-keys',
  'scenario/check-mocks',
  'scenario/check-model',
  'scenario/check-patterns',
  'scenario/check-possible',
  'scenario/check-trigger',
  'scenario/check-turns',
  'scenario/check-unused-mocks',
  'scenario/check-world',
  'scenario/memory-document',
  'scenario/read-matches',
  'scenario/read-mocks',
  'scenario/read-schema',
  'scenario/scenario-from-object',
  'source/closest-branch',
  'source/code-frame',
  'source/decode-utf8',
  'source/did-you-mean',
  'source/explain-schema',
  'source/location-at',
  'source/print-issue',
  'source/read-ahead',
  'source/rename-keys',
  'source/syntax-hint',
  'source/toml-positions',
  'source/toml-string',
  'stats/binomial',
  'stats/incomplete-beta',
  'stats/student-t',
  'suite/cassette-run',
  'suite/chaos-proxy',
  'suite/config-schema',
  'suite/default-config',
  'suite/explain-scenario',
  'suite/fold-exhaustive',
  'suite/json-schemas',
  'suite/list-plugins',
  'suite/load-error-report',
  'suite/load-prices',
  'suite/make-baseline',
  'suite/make-history-run',
  'suite/merge-shards',
  'suite/open-history',
  'suite/plan-effects',
  'suite/plan-suite',
  'suite/read-baseline-file',
  'suite/read-report',
  'suite/render-report',
  'suite/run-shard',
  'suite/run-worker',
  'suite/see-trials',
  'suite/trace-command',
  'suite/trace-failures',
  'suite/trace-trial',
  'target/create-target',
  'trial/answer-tree',
  'trial/enumerate-answers',
  'trial/inspect-trial',
  'workflow/header-rules',
  'workflow/node-warnings',
  'workflow/validate-workflow',
];

/** For the bundler: in place of a cold module, functions that load it. Throws where a module exports anything else. */
export function coldModules(root) {
  const cold = new Map(
    COLD.map((name) => path.join(root, 'src', `${name}.ts`)).map((file) => [file, functionsOf(file)]),
  );
  return {
    name: 'cold-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.ts$/ }, ({ path: id, importer, kind, namespace }) => {
        const file = path.resolve(path.dirname(importer), id);
        return namespace === 'file' && kind === 'import-statement' && cold.has(file)
          ? { path: file, namespace: 'cold' }
          : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'cold' }, ({ path: file }) => ({
        contents: `const load = () => __defer(import(${JSON.stringify(file)}));\n${cold.get(file).map(deferred).join('\n')}`,
        resolveDir: path.dirname(file),
      }));
    },
  };
}

function deferred(name) {
  return `export function ${name}(...all) { return load().${name}(...all); }`;
}

function functionsOf(file) {
  const text = readFileSync(file, 'utf8');
  const other = /^export (?!type |interface |(?:async )?function \w)[^\n]*/m.exec(text);
  if (other !== null)
    throw new Error(`${file} cannot be loaded by its first call: it exports more than functions: ${other[0]}`);
  return [...new Set([...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name))];
}
