import { Type } from '../source/schema-type.ts';
import { count, strictTable } from '../workflow/schema-parts.ts';

/** The settings of `truncated` as they stand in TOML. */
export const truncatedSchema = strictTable(
  {
    chars: Type.Optional(count('Characters that are left; wins over fraction.')),
    fraction: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Share of the characters that is left; default 0.5.' }),
    ),
  },
  'The answer breaks off.',
);
