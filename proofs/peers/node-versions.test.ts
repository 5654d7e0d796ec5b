import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('node-smoke.mjs', import.meta.url));
const others = [22, 26].map((major) => fileURLToPath(new URL(`node_modules/node${major}/bin/node`, import.meta.url)));
/** npm brings the other versions only on Linux x64; elsewhere the Node at hand must do. */
const binaries = process.platform === 'linux' && process.arch === 'x64' ? others : [process.execPath, ...others.filter(existsSync)];

describe.each(binaries.map((binary) => [/node\d+(?=\/bin)/.exec(binary)?.[0] ?? 'this node', binary]))(
  'the built core under %s',
  (name, binary) => {
    test('answers a good and a failing call, leaves no timer behind and lets the process end by itself', async () => {
      const { stdout } = await promisify(execFile)(binary, [script]);
      const { node, good, failing, timers } = JSON.parse(stdout);
      expect(timers).toEqual([]);
      expect(`node${node}`.startsWith(name) || name === 'this node').toBe(true);
      expect(good).toMatchObject({ status: 'ok', data: { quotient: 2 } });
      expect(failing).toMatchObject({ status: 'error', error: { kind: 'internal', retryable: false } });
    });
  },
);
