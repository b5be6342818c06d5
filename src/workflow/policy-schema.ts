import { Type } from '../source/schema-type.ts';
import { strictTable, text, texts } from './schema-parts.ts';

const optionalTexts = (description: string) => Type.Optional(texts(description));

/** The subject's allowlists, as a workflow or a scenario may write them. */
export const policySchema = strictTable(
  {
    fs: Type.Optional(
      strictTable(
        {
          read: optionalTexts('Paths that may be read; `dir/**` allows everything below a folder.'),
          write: optionalTexts('Paths that may be written or created.'),
          delete: optionalTexts('Paths that may be deleted; no node deletes.'),
          list: optionalTexts('Folders that may be listed; no node lists.'),
        },
        'Files.',
      ),
    ),
    env: Type.Optional(
      strictTable(
        { read_keys: optionalTexts('Environment variables that may be read; `PREFIX_*` allows a family.') },
        'Environment.',
      ),
    ),
    http: Type.Optional(
      strictTable(
        {
          urls: optionalTexts('URLs that may be requested; `https://host/**` allows everything below.'),
          methods: optionalTexts('Methods that may be used; empty: any.'),
        },
        'HTTP requests.',
      ),
    ),
    shell: Type.Optional(
      strictTable({ commands: optionalTexts('Programs that may be run, as absolute paths.') }, 'Programs.'),
    ),
    mcp: Type.Optional(
      strictTable(
        {
          servers: optionalTexts('Accepted for compatibility; not used.'),
          tools: optionalTexts('MCP tools that may be called.'),
          resources: optionalTexts('MCP resources that may be read.'),
        },
        'MCP servers.',
      ),
    ),
    rego: Type.Optional(
      strictTable(
        {
          inline: Type.Optional(text('Rego source.')),
          file: Type.Optional(text('File with Rego source.')),
          data: Type.Optional(Type.Unknown({ description: 'Data for the rules.' })),
          query: Type.Optional(text('The rule that answers.')),
        },
        'Rego rules. Parsed, but a policy in force must not use them: they cannot be evaluated here.',
      ),
    ),
  },
  'What the subject may do. Absent: everything. Present: only what a list allows.',
);
