import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onRestate, restateEndpoint } from '@toolpact/restate';
import { moveWorker, startRestate } from '@toolpact/restate/dev';
import { ToolpactError } from 'toolpact';
import type { Guard, Store } from 'toolpact/extend';
import { withTimeLimit } from 'toolpact/internal';
import { CliError, usageError } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import type { LoadedTools } from '../load/load-tools.ts';
import { makeFolder } from '../load/make-folder.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import type { Terminal } from '../print/terminal.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Where the engine is that calls run on, for the processes that serve. */
interface EngineAddress {
  readonly ingress: string;
  readonly admin: string;
}

/** The engine, as a process that serves uses it. */
export interface JoinedEngine {
  /** Sends calls there. */
  readonly guard: Guard;
  /** The address of its page. */
  readonly page: string;
  /** Takes no more calls from there, and lets those that run here end for so long. */
  readonly close: (drainMs: number) => Promise<void>;
}

/** Not a setting: settings begin with TOOLPACT_. */
const variable = '_TOOLPACT_DEV_ENGINE';

/** Starts the engine that `--engine` names, for this process and those it starts; gives the function that ends it. */
export async function startDevEngine({ flags, terminal }: Given): Promise<(() => Promise<void>) | undefined> {
  const name = flags.get('engine');
  if (name === undefined) return undefined;
  if (name !== 'restate') throw usageError(`There is no engine "${String(name)}".`, 'The engine for development is restate.');
  const projectFolder = join(terminal.cwd, '.toolpact');
  makeFolder(projectFolder);
  const { ingress, admin, stop } = await startRestate({
    folder: join(projectFolder, 'restate'),
    from: terminal.cwd,
    settings: { RESTATE_EXPERIMENTAL_ENABLE_PROTOCOL_V7: 'true' },
  }).catch((cause: unknown) => {
    if (!(cause instanceof ToolpactError)) throw cause;
    throw new CliError('The engine is not installed.', {
      fix: 'npm install --save-dev @restatedev/restate-server @restatedev/restate-sdk',
      cause,
    });
  });
  terminal.env[variable] = JSON.stringify({ ingress, admin } satisfies EngineAddress);
  return async () => {
    delete terminal.env[variable];
    await stop('in order');
  };
}

/** Runs tools for the engine, where one was started: its worker is this process, too. */
export async function joinDevEngine(
  env: Terminal['env'],
  loaded: LoadedTools,
  settings: Settings,
  store: Store,
): Promise<JoinedEngine | undefined> {
  const text = env[variable];
  if (text === undefined || loaded.toolbox !== undefined) return undefined;
  const { ingress, admin } = JSON.parse(text) as EngineAddress;
  const guard = onRestate({ ingress });
  // A toolbox of its own: the one that callers use shows each call already.
  const toolbox = wireToolbox(loaded, settings, store, {}, { engine: guard });
  const endpoint = restateEndpoint(toolbox);
  const worker = http2.createServer(endpoint);
  await new Promise<void>((resolve) => worker.listen(0, '127.0.0.1', resolve));
  await moveWorker(admin, `http://127.0.0.1:${(worker.address() as AddressInfo).port}`);
  return {
    guard,
    page: `${admin}/ui`,
    async close(drainMs) {
      await withTimeLimit(endpoint.drain(), { ms: drainMs, onLate: () => undefined });
      worker.close();
    },
  };
}
