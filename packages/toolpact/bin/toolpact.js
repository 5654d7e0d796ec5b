#!/usr/bin/env node
// Starts the command line, which is the package @toolpact/cli: the one of the project in the current folder, or else one beside the library.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const installed = find(join(process.cwd(), 'package.json')) ?? find(import.meta.url);
if (installed === undefined) {
  process.stderr.write('The command line is a package of its own: npm install --save-dev @toolpact/cli\n');
  process.exitCode = 1;
} else await import(pathToFileURL(join(dirname(installed), 'dist/main.js')).href);

function find(from) {
  try {
    return createRequire(from).resolve('@toolpact/cli/package.json');
  } catch {
    return undefined;
  }
}
