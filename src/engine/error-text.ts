import type { ErrorCategory } from '../types/trial.ts';

/** The full text of a node's error: its category's prefix and the message. */
export function errorText(category: ErrorCategory, message: string, nodeType: string, workflow: string): string {
  switch (category) {
    case 'config':
      return `configuration error: ${message}`;
    case 'workflow':
      return `workflow \`${workflow}\`: ${message}`;
    case 'policy':
      return `policy violation: ${message}`;
    case 'capability':
      return `capability unavailable: ${message}`;
    case 'tool':
      return `tool \`${nodeType}\` failed: ${message}`;
    case 'intelligence':
      return `intelligence call failed: ${message}`;
    case 'mcp':
      return `mcp: ${message}`;
    case 'schema':
      return `schema validation failed: ${message}`;
    case 'timeout':
      return `timeout after ${message}`;
    case 'io':
      return `io error: ${message}`;
    case 'json':
      return `json error: ${message}`;
  }
}

/** A duration of whole microseconds as people read it: `5s`, `1.5s`, `100ms`, `0ns`. */
export function durationText(us: number): string {
  if (us === 0) return '0ns';
  if (us < 1000) return `${us}µs`;
  return us < 1_000_000 ? `${us / 1000}ms` : `${us / 1_000_000}s`;
}
