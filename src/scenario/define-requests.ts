import type { Json } from '../types/json.ts';
import type { ArgsDefinition, HttpContentDefinition, HttpTargetDefinition } from './define-world.ts';

/** What must have left the workflow, and what its policy must have refused. */
export interface RequestsDefinition {
  readonly http?: readonly (HttpRequestDefinition & CountDefinition)[];
  readonly processes?: readonly (ProcessRequestDefinition & CountDefinition)[];
  readonly mcp?: readonly (McpRequestDefinition & CountDefinition)[];
  readonly sequence?: readonly (
    | { readonly http: HttpRequestDefinition }
    | { readonly process: ProcessRequestDefinition }
    | { readonly mcp: McpRequestDefinition }
  )[];
  readonly denials?: readonly ({
    readonly node?: string;
    readonly contains?: string;
    readonly matches?: string;
  } & CountDefinition)[];
}

interface CountDefinition {
  readonly count?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

type HttpRequestDefinition = { readonly node?: string } & HttpTargetDefinition & HttpContentDefinition;

type ProcessRequestDefinition = { readonly node?: string; readonly command?: string } & ArgsDefinition;

interface McpRequestDefinition {
  readonly node?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly resource?: string;
  readonly args?: Json;
}
