import { registerHooks } from 'node:module';

const peers = new URL('../proofs/peers/package.json', import.meta.url).href;

// Frameworks, client libraries and servers that only tests and benchmarks need are installed in proofs/peers alone, so that `npm install` stays
// light. What cannot be found from the importing file is looked up there. Must be loaded before any module that imports one of them.
registerHooks({
  resolve(specifier, context, nextResolve) {
    try {
      return nextResolve(specifier, context);
    } catch (notFound) {
      if (/^[./]|^\w+:/.test(specifier)) throw notFound;
      return nextResolve(specifier, { ...context, parentURL: peers });
    }
  },
});
