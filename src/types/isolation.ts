/** Where code of the user runs: in threads of passk's process, or in processes of its own. */
export const ISOLATIONS = ['thread', 'process'] as const;

export type Isolation = (typeof ISOLATIONS)[number];
