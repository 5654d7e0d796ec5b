// Resolves what cannot be found from here in proofs/peers, and `@opentelemetry/api` to the copy that OTEL_API names, for every importer.
import { createRequire, registerHooks } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const peers = new URL('../../../../proofs/peers/package.json', import.meta.url).href;
const copy = process.env.OTEL_API ?? '@opentelemetry/api';
const wanted = copy === '@opentelemetry/api' ? undefined : pathToFileURL(createRequire(peers).resolve(copy)).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (wanted !== undefined && specifier === '@opentelemetry/api') return { url: wanted, shortCircuit: true };
    // The package has one SDK for its examples; the ones under test are those of proofs/peers.
    if (specifier.startsWith('@opentelemetry/') && !context.parentURL?.includes('/node_modules/'))
      return nextResolve(specifier, { ...context, parentURL: peers });
    try {
      return nextResolve(specifier, context);
    } catch (notFound) {
      if (/^[./]|^\w+:/.test(specifier)) throw notFound;
      return nextResolve(specifier, { ...context, parentURL: peers });
    }
  },
});
