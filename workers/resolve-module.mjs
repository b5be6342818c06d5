// Where `import()` finds a module, as scripts cannot ask.
export const { resolve } = import.meta;
