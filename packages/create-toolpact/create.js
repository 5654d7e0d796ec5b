#!/usr/bin/env node
// `npm create toolpact [folder]` is `npx toolpact init [folder]`.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const file = require.resolve('toolpact/package.json');
process.argv.splice(2, 0, 'init');
await import(pathToFileURL(join(dirname(file), require(file).bin.toolpact)).href);
