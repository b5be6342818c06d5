/** Where code of the user runs: in threads of passk's process, or in processes of its own. */
export const ISOLATIONS = ['thread', 'process'] as const;

/** What a worker is: a thread or a process. */
export type Isolation = (typeof ISOLATIONS)[number];
