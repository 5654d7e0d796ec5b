import { closeSync, constants, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { cancelled, casesOf, invalidInput } from '../error-case.ts';
import { scratch } from '../loopback.ts';

const at = (name: string) => join(scratch, 'files', name);
mkdirSync(at('full'), { recursive: true });
writeFileSync(at('notes.txt'), 'hello', { mode: 0o644 });
writeFileSync(at('full/one'), '1');
symlinkSync('circle', at('circle'));

export const fsCases = casesOf('node:fs', [
  { id: 'a file that does not exist', run: () => fs.readFile(at('missing.txt')), expect: { kind: 'not_found' } },
  { id: 'a folder on the way that does not exist', run: () => fs.writeFile(at('nowhere/a.txt'), ''), expect: { kind: 'not_found' } },
  { id: 'a file used as a folder', run: () => fs.readFile(at('notes.txt/inner')), expect: { kinds: ['not_found', 'invalid_input'] } },
  { id: 'a folder read as a file', run: () => fs.readFile(at('full')), expect: invalidInput },
  {
    id: 'exclusive creation of a file that exists',
    run: () => fs.writeFile(at('notes.txt'), '', { flag: 'wx' }),
    expect: { kind: 'conflict', retryable: false },
  },
  { id: 'a folder that exists', run: () => fs.mkdir(at('full')), expect: { kind: 'conflict', retryable: false } },
  {
    id: 'removal of a folder that is not empty',
    run: () => fs.rmdir(at('full')),
    expect: { kinds: ['conflict', 'invalid_input'], retryable: false },
  },
  { id: 'a file without the needed permission', run: () => fs.access(at('notes.txt'), constants.X_OK), expect: { kind: 'forbidden' } },
  { id: 'an operation that the system forbids', run: () => fs.link(at('full'), at('hard')), expect: { kind: 'forbidden' } },
  { id: 'links that go in a circle', run: () => fs.readFile(at('circle')), expect: { kinds: ['invalid_input', 'not_found'] } },
  {
    id: 'a name that is too long',
    run: () => fs.open(at('n'.repeat(4_000))),
    expect: { kinds: ['invalid_input', 'too_large'] },
  },
  {
    id: 'a descriptor used after it was closed',
    run: () => {
      const descriptor = openSync(at('notes.txt'), 'r+');
      closeSync(descriptor);
      writeSync(descriptor, 'late');
    },
    expect: { kind: 'internal' },
  },
  {
    id: 'a path of the wrong type',
    run: () => fs.readFile(undefined as unknown as string),
    expect: { kinds: ['invalid_input', 'internal'] },
  },
  { id: 'a path with a NUL byte', run: () => fs.readFile('a\u0000b'), expect: invalidInput },
  {
    id: 'a read that its caller aborts',
    run: () => {
      const controller = new AbortController();
      const read = fs.readFile(at('notes.txt'), { signal: controller.signal });
      controller.abort();
      return read;
    },
    expect: cancelled,
  },
]);
