import type { FaultType } from '../plugin/fault-type.ts';
import { backendDown } from './backend-down.ts';
import { delay } from './delay.ts';
import { empty } from './empty.ts';
import { malformed } from './malformed.ts';
import { rateLimited } from './rate-limited.ts';
import { timeout } from './timeout.ts';
import { truncated } from './truncated.ts';

/** The faults that passk brings, in the order in which docs list them. */
export const builtinFaults: readonly FaultType[] = [
  backendDown,
  timeout,
  rateLimited,
  delay,
  truncated,
  empty,
  malformed,
];
