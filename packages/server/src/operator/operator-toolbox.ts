import { createToolbox, type Toolbox, ToolpactError } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { type OperatorApp, operatorTools } from './operator-tools.ts';
import { accessTo } from './server-access.ts';

/** Which server is operated, and with which credential. */
export interface OperatorToolboxOptions {
  /** Sent with every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Offers `decide_approval`: the agent then answers for people. @default false */
  readonly decide?: boolean;
  /** @default the fetch of the platform */
  readonly fetch?: typeof fetch;
}

/** Creates the tools with which a coding agent looks into a running server: its calls, their causes, what models read, its health. */
export function createOperatorToolbox(url: string | URL, options: OperatorToolboxOptions = {}): Toolbox {
  refuseOptions<OperatorToolboxOptions>('createOperatorToolbox', options, { headers: true, decide: true, fetch: true });
  const { headers = {}, decide, fetch: own } = options;
  const address = String(url);
  if (!URL.canParse(address))
    throw new ToolpactError('invalid_argument', 'createOperatorToolbox takes the address of a server, such as http://127.0.0.1:8787');
  const base = new URL(address);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const app: OperatorApp = { server: accessTo(base, headers, own) };
  return createToolbox(operatorTools({ decide }), { report: () => undefined }).with({ app } as never) as Toolbox;
}
