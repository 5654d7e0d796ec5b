import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import './resolve-peers.ts';
import { sourceEntries } from './source-entries.ts';

// Lets the entries of our packages lead to their source, so that a program runs what was written last, without a build, and has one copy of each
// module even where it imports files of the source too. The stories in examples/ and the benchmarks run what was built.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const file = sourceEntries.get(specifier);
    return file === undefined ? nextResolve(specifier, context) : { url: pathToFileURL(file).href, shortCircuit: true };
  },
});
