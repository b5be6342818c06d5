import { lookup } from 'node:dns';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PasskError } from '../../errors.ts';
import type { EffectPort, GrantedWorld } from '../../types/permissions.ts';
import type { McpServer, SecretSource } from '../../types/workflow.ts';
import type { Effects } from '../effect.ts';
import { refuseModule } from './granted-programs.ts';
import type { McpLinks } from './mcp-links.ts';
import type { Secrets } from './secrets.ts';
import type { WorkflowSecrets } from './workflow-secrets.ts';

/** What one program needs of the real world. */
export interface EffectNeeds {
  /** Only these ports get an effect; whether a single request is granted, the effect says. */
  readonly ports: readonly EffectPort[];
  readonly mcpServers: readonly McpServer[];
  /** Names of those whose questions to a user are answered; absent: none is. */
  readonly elicits?: ReadonlySet<string>;
  /** What the workflow says of where its secrets are kept. */
  readonly secrets: readonly SecretSource[];
  /** As reports name it. */
  readonly scenarioFile: string;
  /** What a trial has in all; absent: no limit that anybody knows. */
  readonly timeoutMs?: number;
}

/** The real world as far as the user granted it: opened once per worker, lazily, and shared by its programs. */
export interface GrantedEffects {
  /** Effects of one program. Closing them closes only those that it shares with no other. */
  open(needs: EffectNeeds): Promise<Effects>;
  /**
   * The address of a JavaScript module that a scenario names, for whoever loads it. Throws `USAGE` where it is not granted:
   * what it does is out of passk's hands. `file`: relative to the suite's root, as the scenario's own name is.
   */
  moduleUrl(file: string, scenarioFile: string): string;
  /** Ends the MCP servers that nobody needs any more, by what `mcpIdentity` gives of them, and that no request is out to. */
  endServers(isNeeded: (identity: string) => boolean): void;
  /** Leaves no handle, process or socket behind. */
  close(): Promise<void>;
}

export interface GrantedEffectsOptions {
  /** The environment that granted names are read from. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Modules are loaded when a program opens its effects, and connections made when it uses them. */
export function createGrantedEffects(
  { permissions, root, traceRun }: GrantedWorld,
  { env }: GrantedEffectsOptions,
): GrantedEffects {
  // One for all effects: a secret that one of them sent may come back through another.
  let secretsPromise: Promise<Secrets> | null = null;
  const theSecrets = (): Promise<Secrets> => {
    secretsPromise ??= import('./secrets.ts').then(({ createSecrets }) => createSecrets(env, permissions.env));
    return secretsPromise;
  };
  const secretsOf = async (declared: readonly SecretSource[], folder: string | null): Promise<WorkflowSecrets> => {
    const { workflowSecrets } = await import('./workflow-secrets.ts');
    return workflowSecrets(declared, { secrets: await theSecrets(), permissions, env, folder, lookup });
  };
  const envEffect = openOnce(async () => (await import('./env-effect.ts')).createEnvEffect(permissions, env));
  const openHttp = async (secrets: WorkflowSecrets) => {
    const { createHttpEffect } = await import('./http-effect.ts');
    const { loadHttpClient } = await import('./http/guarded-connector.ts');
    await loadHttpClient();
    return createHttpEffect(permissions, env, { secrets, traceRun });
  };
  const httpEffect = openOnce(async () => openHttp(await secretsOf([], null)));
  const processEffect = openOnce(async () => (await import('./process-effect.ts')).createProcessEffect(permissions));
  let links: McpLinks | null = null;
  const mcpLinks = openOnce(async () => {
    links = new (await import('./mcp-links.ts')).McpLinks();
    return links;
  });
  const shared = [envEffect, httpEffect, processEffect, mcpLinks];

  return {
    async open({ ports, mcpServers, elicits, secrets, scenarioFile, timeoutMs }) {
      const when = async <E>(port: EffectPort, open: () => Promise<E>): Promise<E | null> =>
        ports.includes(port) ? open() : null;
      const scenarioDir = path.dirname(path.resolve(root, scenarioFile));
      const file = await when('file', async () =>
        (await import('./file-effect.ts')).createFileEffect(permissions, { scenarioDir }),
      );
      const mcp = await when('mcp', async () => {
        const { createMcpEffect } = await import('./mcp-effect.ts');
        return createMcpEffect(permissions, mcpServers, env, {
          scenarioDir,
          scenarioFile,
          secrets: await secretsOf(secrets, scenarioDir),
          links: await mcpLinks.open(),
          ...(elicits !== undefined && { elicits }),
          ...(timeoutMs !== undefined && { timeoutMs }),
          traceRun,
        });
      });
      // A workflow that says where its secrets are kept has an effect of its own: others have other secrets by those names.
      const ownHttp = await when('http', async () =>
        secrets.length === 0 ? null : openHttp(await secretsOf(secrets, scenarioDir)),
      );
      const programEffects = [file, mcp, ownHttp].filter((effect) => effect !== null);
      return {
        http: ownHttp ?? (await when('http', httpEffect.open)),
        process: await when('process', processEffect.open),
        mcp,
        env: await when('env', envEffect.open),
        file,
        close: () => closeAll(programEffects),
      };
    },
    moduleUrl(file, scenarioFile) {
      const place = path.resolve(root, file);
      const refused = refuseModule(permissions.run, place, path.dirname(path.resolve(root, scenarioFile)));
      if (refused !== null) throw new PasskError('USAGE', refused);
      return pathToFileURL(place).href;
    },
    endServers: (isNeeded) => links?.endUnneeded(isNeeded),
    close: () => closeAll(shared),
  };
}

interface Closable {
  close(): Promise<void>;
}

/** Makes what all programs share when the first one asks for it. */
function openOnce<E extends Closable>(create: () => Promise<E>): Closable & { readonly open: () => Promise<E> } {
  let made: Promise<E> | null = null;
  return {
    open: () => {
      made ??= create();
      return made;
    },
    close: async () => {
      const closing = made;
      made = null;
      await (await closing)?.close();
    },
  };
}

/** Each is closed, whatever becomes of the others. */
async function closeAll(effects: readonly Closable[]): Promise<void> {
  await Promise.allSettled(effects.map((effect) => effect.close()));
}
