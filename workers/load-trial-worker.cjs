// What Piscina loads. It tries `require` first, and a worker that is stopped while `require` links an ES module aborts the
// whole process (Node's assertion in CreateRequiredModuleFacade); one stopped during `import()` just ends.
Object.defineProperty(exports, '__esModule', { value: true });
const loaded = import('./worker.js');
exports.default = loaded.then((worker) => worker.default);
exports.inspect = loaded.then((worker) => worker.inspect);
