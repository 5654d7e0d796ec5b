#!/usr/bin/env node
// `npm create toolpact [folder]` is `toolpact init [folder]`.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const cli = createRequire(import.meta.url).resolve('@toolpact/cli/package.json');
process.argv.splice(2, 0, 'init');
await import(pathToFileURL(join(dirname(cli), 'dist/main.js')).href);
