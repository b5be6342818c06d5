/** Where code of the user runs: in threads of passk's process, or in processes of its own. */
export type Isolation = 'thread' | 'process';
