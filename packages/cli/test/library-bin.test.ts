import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { install } from './install.ts';
import { folderWith } from './run-toolpact.ts';

const bin = fileURLToPath(new URL('../../toolpact/bin/toolpact.js', import.meta.url));
const version = `${packageJson.version}\n`;

function start(file: string, words: readonly string[], cwd: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...words], { cwd }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

/** A project whose library lies where npm puts it, and nothing beside it. */
function projectWithLibrary(): { readonly cwd: string; readonly file: string } {
  const cwd = folderWith({ 'package.json': '{}' });
  const file = join(cwd, 'node_modules/toolpact/bin/toolpact.js');
  cpSync(bin, file);
  return { cwd, file };
}

test('without the command line the program of the library says how to install it', async () => {
  const { cwd, file } = projectWithLibrary();
  expect(await start(file, ['dev', '--sample'], cwd)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The command line is a package of its own: npm install --save-dev @toolpact/cli\n',
  });
});

test('it starts the command line of the project, with the words that it was given', async () => {
  const { cwd, file } = projectWithLibrary();
  install(cwd, ['@toolpact/cli']);
  expect(await start(file, ['--version'], cwd)).toEqual({ code: 0, stdout: version, stderr: '' });
  expect(await start(file, ['call', 'add', '{"a":2}', '--sample', '--store', 'memory'], cwd)).toMatchObject({ code: 10, stdout: '' });
});

test('it starts the one beside the library where the folder is no project', async () => {
  expect(await start(bin, ['--version'], folderWith())).toEqual({ code: 0, stdout: version, stderr: '' });
});
