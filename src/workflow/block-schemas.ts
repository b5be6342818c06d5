import { MODEL_PROVIDERS } from '../types/model-endpoint.ts';
import { Type } from '../source/schema-type.ts';
import { count, flag, mapOf, oneOf, strictTable, text, texts, u32 } from './schema-parts.ts';

const maybe = Type.Optional;

/** `[budget]`: caps over a whole run. */
export const budgetSchema = strictTable(
  {
    max_memory_mb: maybe(count('Parsed; not enforced in trials.')),
    max_cpu_secs: maybe(count('Parsed; not enforced in trials.')),
    max_run_time_secs: maybe(count('Seconds a run may take; the limit of the trial, where that is shorter.')),
    max_fs_write_mb: maybe(count('Megabytes a run may write.')),
    max_llm_tokens: maybe(count('Tokens a run may spend.')),
  },
  'Caps over a whole run.',
);

/** `[intelligence]`: named model backends besides `default`. */
export const intelligenceSchema = strictTable(
  {
    backends: maybe(
      Type.Array(
        strictTable(
          {
            name: text('The name nodes use.'),
            provider: oneOf(MODEL_PROVIDERS, "The provider's protocol."),
            model: maybe(text("The provider's model name.")),
            api_key_env: maybe(text('Environment variable with the key.')),
            base_url: maybe(text('Address of the endpoint.')),
            max_tokens: maybe(u32('Cap per answer.')),
          },
          'One backend.',
        ),
        { description: 'Model backends.' },
      ),
    ),
  },
  'Model backends; trials answer them from `[[intel.turns]]`.',
);

/** One of `[[mcp_servers]]`. */
export const mcpServerSchema = strictTable(
  {
    name: text('The name nodes use.'),
    command: maybe(texts('Program and arguments that start the server.')),
    url: maybe(text('Where the server speaks streamable HTTP, instead of `command`.')),
    headers: maybe(mapOf(Type.String(), 'Headers for the `url`; values may hold {{secret:NAME}}.')),
    allow_tools: maybe(texts('Tools that may be called.')),
    allow_resources: maybe(texts('Resources that may be read.')),
    sampling: maybe(text('The model backend that answers when the server asks for one; default: none does.')),
    env: maybe(mapOf(Type.String(), 'Environment of the program; values may hold {{secret:NAME}}.')),
  },
  'An MCP server: a `command` or a `url`.',
);

/** One of `[[http_routes]]`. */
export const httpRouteSchema = strictTable(
  {
    method: text('HTTP method.'),
    path: text('Path of the route.'),
    start_node: text('Start node it runs.'),
    input_schema: maybe(Type.Unknown({ description: 'Shape of the body; not enforced.' })),
    auth: maybe(Type.Unknown({ description: 'Name of the authentication to use.' })),
    rate_limit: maybe(
      strictTable(
        { capacity: u32('Size of the bucket.'), per_second: Type.Number({ description: 'Refill rate.' }) },
        'Rate limit.',
      ),
    ),
    idempotency_key: maybe(text('Where the idempotency key is found.')),
    idempotency_ttl_secs: maybe(count('Seconds a key is remembered.')),
  },
  'An HTTP route.',
);

const startNode = text('Start node it runs.');

/** One of `[[triggers]]`, told apart by `type`. */
export const triggerSchema = Type.Union(
  Object.entries({
    'mcp.resource.updated': { server: text('MCP server.'), resource: text('Resource URI.'), start_node: startNode },
    'mcp.resource.created': { server: text('MCP server.'), resource: text('Resource URI.'), start_node: startNode },
    'internal.event': { name: text('Name of the event.'), start_node: startNode },
    cron: { schedule: text('Cron expression.'), start_node: startNode },
    interval: {
      every: Type.Union([Type.String(), Type.Integer({ minimum: 0 })], { description: 'Time between runs.' }),
      start_node: startNode,
    },
    fs_watch: {
      path: text('File or folder.'),
      start_node: startNode,
      recursive: maybe(flag('Watch subfolders too.')),
      events: maybe(texts('Kinds of change.')),
      debounce_ms: maybe(count('Milliseconds of quiet before it fires.')),
    },
  }).map(([type, keys]) =>
    strictTable({ type: Type.Literal(type, { description: 'What fires it.' }), ...keys }, `A trigger of type ${type}.`),
  ),
  { description: 'What starts a run in production.' },
);

/** One of `[[secrets]]`, told apart by `source`. */
export const secretSchema = Type.Union(
  Object.entries({
    env: { var: text('Environment variable.') },
    file: { path: text('File.'), trim: maybe(flag('Drop white space at both ends; default true.')) },
    command: { argv: texts('Program and arguments.') },
    oauth2: {
      token_url: text('Token endpoint.'),
      client_id_env: text('Environment variable with the client id.'),
      client_secret_env: text('Environment variable with the client secret.'),
      scopes: maybe(texts('Scopes.')),
      extra_params: maybe(mapOf(Type.String(), 'Further parameters.')),
      auth_style: maybe(text('How the client identifies itself.')),
      skew_secs: maybe(count('Seconds a token is renewed ahead of its end.')),
    },
  }).map(([source, keys]) =>
    strictTable(
      {
        name: text('The name headers use.'),
        source: Type.Literal(source, { description: 'Where it is kept.' }),
        ...keys,
      },
      `A secret from ${source}.`,
    ),
  ),
  { description: 'A secret for request headers.' },
);

/** `[auth]`. */
export const authSchema = strictTable(
  {
    bearer: maybe(
      mapOf(
        strictTable(
          { tokens_env: maybe(text('Environment variable.')), tokens: maybe(texts('Tokens.')) },
          'Bearer tokens.',
        ),
        'Bearer authentication by name.',
      ),
    ),
    basic: maybe(
      mapOf(
        strictTable(
          { credentials_env: maybe(text('Environment variable.')), credentials: maybe(texts('user:password pairs.')) },
          'Credentials.',
        ),
        'Basic authentication by name.',
      ),
    ),
    hmac: maybe(
      mapOf(
        strictTable(
          {
            secret_env: maybe(text('Environment variable.')),
            secret: maybe(text('The secret.')),
            header: maybe(text('Header with the signature.')),
            prefix: maybe(text('Text before the signature.')),
          },
          'Signed requests.',
        ),
        'HMAC authentication by name.',
      ),
    ),
    oidc: maybe(
      mapOf(
        strictTable(
          {
            issuer: text('Issuer.'),
            audience: maybe(texts('Accepted audiences.')),
            jwks_json: maybe(text('Keys, literally.')),
            jwks_file: maybe(text('File with keys.')),
            subject_allowlist: maybe(texts('Accepted subjects.')),
            clock_skew_secs: maybe(count('Tolerated clock difference; default 60.')),
            algorithms: maybe(texts('Accepted algorithms; default RS256.')),
          },
          'An identity provider.',
        ),
        'OIDC authentication by name.',
      ),
    ),
  },
  'Authentication of HTTP routes; not used in trials.',
);

/** `[logging]`. */
export const loggingSchema = strictTable(
  {
    level: maybe(text('Lowest level written.')),
    format: maybe(oneOf(['text', 'json'], 'Shape of a line.')),
    target: maybe(
      Type.String({ pattern: '^(stderr|stdout|file:[\\s\\S]+)$', description: '`stderr`, `stdout` or `file:PATH`.' }),
    ),
    enabled: maybe(flag('Whether anything is written.')),
    rotation: maybe(oneOf(['never', 'daily', 'hourly', 'minutely'], 'When a new file begins.')),
    audit: maybe(
      strictTable(
        {
          target: maybe(text('Where the audit log goes.')),
          redact_fields: maybe(texts('Fields left out.')),
          include_reason: maybe(flag('Write why a request was denied.')),
        },
        'Audit log.',
      ),
    ),
    otel: maybe(
      strictTable(
        {
          endpoint: text('Collector address.'),
          service_name: maybe(text('Name of the service.')),
          protocol: maybe(text('Transport.')),
          resource_attrs: maybe(mapOf(Type.String(), 'Resource attributes.')),
          sample_ratio: maybe(Type.Number({ description: 'Share of traces kept; default 1.' })),
        },
        'OpenTelemetry.',
      ),
    ),
  },
  'Logging; not used in trials.',
);

/** `[server]`. */
export const serverSchema = strictTable(
  {
    tls: maybe(
      strictTable(
        {
          cert_file: text('Certificate.'),
          key_file: text('Private key.'),
          client_auth: maybe(
            strictTable(
              {
                mode: oneOf(['none', 'optional', 'required'], 'Whether clients need a certificate.'),
                ca_file: text('Accepted authority.'),
              },
              'Client certificates.',
            ),
          ),
        },
        'TLS.',
      ),
    ),
  },
  'HTTP server; not used in trials.',
);

/** `[signing]`. */
export const signingSchema = strictTable(
  {
    required: maybe(flag('Refuse unsigned workflows.')),
    public_key_pem: maybe(text('Key, literally.')),
    public_key_file: maybe(text('File with the key.')),
    algorithm: maybe(text('Signature algorithm.')),
  },
  'Signature of the workflow; not used in trials.',
);
