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
