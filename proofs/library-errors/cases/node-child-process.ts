import { exec, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cancelled, casesOf, timeout } from '../error-case.ts';
import { abortSoon, scratch } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const node = process.execPath;
/** Folders that every user may read: one that is closed to us would turn "not there" into "not allowed". */
const systemPath = '/usr/bin:/bin';
const runFile = promisify(execFile);
const runShell = promisify(exec);
const script = join(scratch, 'no-exec-bit.sh');
writeFileSync(script, '#!/bin/sh\n', { mode: 0o644 });

const missing = { kinds: ['not_found', 'not_configured'] } as const;
const died = { kinds: ['failed', 'upstream'], retryable: 'either' } as const;

export const childProcessCases = casesOf('node:child_process', [
  {
    id: 'a command that is not installed',
    run: () => runFile('no-such-command-here', ['--key', secrets.apiKey], { env: { PATH: systemPath } }),
    expect: missing,
  },
  {
    id: 'a spawned command that is not installed',
    run: () => once(spawn('no-such-command-here', { env: { PATH: systemPath } }), 'spawn'),
    expect: missing,
  },
  {
    id: 'a shell that does not find the command',
    run: () => runShell('no-such-command-here --help', { env: { PATH: systemPath } }),
    expect: { kinds: [...missing.kinds, ...died.kinds], retryable: 'either' },
  },
  {
    id: 'a command that exits with 3',
    run: () => runFile(node, ['-e', `console.error("lost"); process.exit(3) // ${secrets.apiKey}`]),
    expect: died,
  },
  { id: 'a command that is killed by a signal', run: () => runFile(node, ['-e', 'process.kill(process.pid, "SIGKILL")']), expect: died },
  {
    id: 'a command that outlives its timeout',
    run: () => runFile('sleep', ['5'], { timeout: 120 }),
    expect: { kinds: ['timeout', 'cancelled'], retryable: 'either' },
  },
  { id: 'a synchronous command that outlives its timeout', run: () => execFileSync('sleep', ['5'], { timeout: 120 }), expect: timeout },
  {
    id: 'more output than maxBuffer holds',
    run: () => runFile(node, ['-e', 'console.log("x".repeat(5000))'], { maxBuffer: 100 }),
    expect: { kind: 'too_large' },
  },
  { id: 'a command that its caller aborts', run: () => runFile('sleep', ['5'], { signal: abortSoon() }), expect: cancelled },
  { id: 'a file that may not be executed', run: () => runFile(script), expect: { kind: 'forbidden' } },
]);
