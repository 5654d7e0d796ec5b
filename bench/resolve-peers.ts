import { registerHooks } from 'node:module';

const peers = new URL('../proofs/peers/package.json', import.meta.url).href;

// The frameworks we are compared with live in proofs/peers only. What cannot be found from here is looked up there, so that `npm install` stays
// light and these files import by plain package names. Must be loaded before any module that imports one of them.
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
