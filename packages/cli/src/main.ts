#!/usr/bin/env node
import nodeModule from 'node:module';
import { Writable } from 'node:stream';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { explainOldNode } from './load/explain-old-node.ts';
import { packageVersion } from './load/package-version.ts';
import { errorText, tellError } from './print/tell-error.ts';
import { createTerminal, type ParentProcess } from './print/terminal.ts';

// The only file that ends the process. Results go out through `out`; whatever tools print with console.log or to stdout is moved to stderr,
// because stdout belongs to results and to the MCP protocol.

const argv = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
// The reader of a pipe may stop reading at any time, as `head` does.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => quit(exitCodes.done));
quietWarnings();
let isOver = false;

const terminal = createTerminal(argv, {
  // An error of the stream below ends the process, so it is not told a second time.
  stdout: new Writable({ write: (chunk: Uint8Array, _, done) => void write(chunk, () => done()) }),
  say: (text) => void process.stderr.write(text),
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signals: process,
  exit: quit,
  parent: findParent(),
  isTTY: { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY },
});

const tooOld = explainOldNode(process.versions.node);
if (tooOld !== undefined) await end(tell(tooOld));
else void run();

async function run(): Promise<void> {
  // A promise that a tool forgot must not end the server. An exception at the top of its file does, and is printed as a sentence.
  process.on('unhandledRejection', (error) =>
    terminal.say(`${terminal.paint('warn', 'warning')} a promise without a handler was rejected: ${errorText(error, terminal.verbose)}\n`),
  );
  process.on('uncaughtException', (error) => void end(tell(error)));
  noticeEarlyEnds();
  // Compiled code is kept for the next start. Loaded only now, so that it applies.
  nodeModule.enableCompileCache();
  const { runCli } = await import('./run-cli.ts');
  await end(await runCli(argv, terminal, packageVersion()));
}

/** Gives the channel to the process that started this one, where there is one. */
function findParent(): ParentProcess | undefined {
  if (process.send === undefined) return undefined;
  return {
    // A message that cannot be sent is no fault: a process whose parent is gone ends, too.
    send: (message) => new Promise((resolve) => void process.send?.(message, undefined, undefined, () => resolve())),
    onMessage: (listener) => void process.on('message', listener),
  };
}

/** Tools may leave connections and timers behind; what was said gets out first. */
async function end(code: number): Promise<void> {
  await new Promise<void>((resolve) => void process.stderr.write('', () => resolve()));
  quit(code);
}

function quit(code: number): never {
  isOver = true;
  process.exit(code);
}

/** A command that does not come to its end must not look like one that did its work: a check in CI would pass without having checked. */
function noticeEarlyEnds(): void {
  process.on('beforeExit', () => {
    if (isOver) return;
    void end(
      tell(
        new CliError('The command cannot finish: a file or a tool awaits something that never settles.', {
          fix: 'Look for an await at the top of the file whose promise is never settled.',
        }),
      ),
    );
  });
  process.on('exit', (code) => {
    // A process that serves for another one ends with it.
    const isLeft = process.send !== undefined && !process.connected;
    if (isOver || isLeft) return;
    process.exitCode = code === exitCodes.done ? exitCodes.cannotRun : code;
    tell(
      new CliError(`A tool, or a file that was loaded, called process.exit(${code}) before the command was done.`, {
        fix: 'Throw an error instead; and let the file with tools start nothing by itself.',
      }),
    );
  });
}

function tell(error: unknown): number {
  return tellError(error, terminal);
}

/** Hides the warnings of Node about its experimental features: the user of a command can do nothing about them. */
function quietWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, code }: Error & { code?: string }) => {
    // A file that cannot be loaded is reported as an error with its fix.
    if (message.startsWith('Failed to load the ES module')) return;
    if (name === 'ExperimentalWarning' || code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    process.stderr.write(`${name}: ${message}\n`);
  });
}
