import { COMPARISON } from './rows/comparison.ts';
import { MODELS } from './rows/models.ts';
import { MODEL_TESTS } from './rows/model-tests.ts';
import { OUTPUT } from './rows/output.ts';
import { PERMISSIONS } from './rows/permissions.ts';
import { RECORDINGS } from './rows/recordings.ts';
import { RELEASE } from './rows/release.ts';
import { SELECTION } from './rows/selection.ts';
import { TRIALS } from './rows/trials.ts';
import { VERDICT } from './rows/verdict.ts';

// An intersection, because the type of a spread would lose what the rows say of themselves.
export type Settings = typeof TRIALS &
  typeof PERMISSIONS &
  typeof MODELS &
  typeof MODEL_TESTS &
  typeof COMPARISON &
  typeof RECORDINGS &
  typeof RELEASE &
  typeof SELECTION &
  typeof VERDICT &
  typeof OUTPUT;

/** Every setting there is, in the order in which help and `passk config` show them. */
export const SETTINGS: Settings = {
  ...TRIALS,
  ...PERMISSIONS,
  ...MODELS,
  ...MODEL_TESTS,
  ...COMPARISON,
  ...RECORDINGS,
  ...RELEASE,
  ...SELECTION,
  ...VERDICT,
  ...OUTPUT,
};
