/** Largest file that is read unless the user allows more. */
export const MAX_FILE_BYTES = 1024 * 1024;
