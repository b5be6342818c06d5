/** The public names of passk, by hand in the files of `public/`. What is not there may change without notice. */
export * from './public/audits.ts';
export * from './public/configuration.ts';
export * from './public/engines.ts';
export * from './public/evidence.ts';
export * from './public/faithfulness.ts';
export * from './public/judges.ts';
export * from './public/models.ts';
export * from './public/plans.ts';
export * from './public/production.ts';
export * from './public/progress.ts';
export * from './public/releases.ts';
export * from './public/schemas.ts';
export * from './public/shards.ts';
export * from './public/suites.ts';
export * from './public/types.ts';
