// The adapter ships without types for this import path, the only one that works from ESM.
declare module 'comlink/dist/esm/node-adapter.mjs' {
  // biome-ignore lint/style/noDefaultExport: it is what the package exports.
  export default function nodeEndpoint(port: import('node:worker_threads').MessagePort): import('comlink').Endpoint;
}
