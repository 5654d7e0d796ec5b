import type { AnyTool } from 'toolpact';
import { ToolpactError } from 'toolpact';
import { type OptionNames, refuseOptions } from 'toolpact/internal';
import { type InspectorFiles, inspectorFiles } from './inspector-files.ts';
import type { CheckResult, McpConfig, SourceLines, ToolLockState } from './page-answers.ts';

/** Options of the inspector page. */
export interface InspectorOptions {
  /** Whether the page is served at `/inspector/`, and `/` and `/docs` lead to it; without it, only what it asks is. @default true */
  readonly page?: boolean;
  /** The built page, for platforms without a file system. @default the files of this package */
  readonly files?: InspectorFiles;
  /** The name of this server, as the page shows it. @default 'toolpact' */
  readonly name?: string;
  /** The version that the page shows. */
  readonly version?: string;
  /** Whether the page shows the error behind a failure, with its stack. On a server with `auth`, only callers with the scope `admin` see it. @default false */
  readonly causes?: boolean;
  /** Whether the messages of the last 256 requests that made calls are kept, without secrets, and shown as `causes` are. @default false */
  readonly wire?: boolean;
  /** The address of a trace, with `{traceId}` in it. */
  readonly traceUrl?: string;
  /** Reads the lines of source code around a place of a stack. @default no lines are shown */
  readonly readSource?: (stack: string) => SourceLines | undefined;
  /** More entries for configuration files of MCP clients, besides those that name the address of this server. */
  readonly mcpConfigs?: readonly McpConfig[];
  /** Development features: break calls on purpose, check tools, compare them with their lock file. @default none */
  readonly bench?: InspectorBench;
}

/** The additional work of a developer's server: it breaks calls on purpose, checks tools and compares them with their lock file. */
export interface InspectorBench {
  readonly faults: readonly { readonly name: string; readonly description: string }[];
  /** Returns a view of the toolbox in which the next run of a tool meets a fault; `timeoutMs` is what a call with this fault gets. */
  readonly breakWith: <TToolbox extends BreakableToolbox>(
    toolbox: TToolbox,
    fault: string,
  ) => { readonly toolbox: TToolbox; readonly timeoutMs?: number };
  /** Checks tools by name, or all. */
  readonly check: (tools: readonly string[] | undefined) => Promise<CheckResult>;
  /** Compares a tool with what was locked. */
  readonly lockOf: (tool: string) => Promise<ToolLockState>;
}

/** A toolbox, as far as faults need it. */
export interface BreakableToolbox {
  readonly tools: readonly AnyTool[];
  readonly answer: (...words: never) => Promise<unknown>;
  readonly with: (context: never) => object;
}

/** The options as routes read them: with the files of the page where it is served. */
export interface InspectorSettings extends Omit<InspectorOptions, 'page'> {}

const names: OptionNames<InspectorOptions> = {
  page: true,
  files: true,
  name: true,
  version: true,
  causes: true,
  wire: true,
  traceUrl: true,
  readSource: true,
  mcpConfigs: true,
  bench: true,
};

/** Checks the options of the inspector and reads the files of the page. Throws for what could not be kept. */
export function checkInspector(given: InspectorOptions | boolean | undefined): InspectorSettings | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : given;
  refuseOptions<InspectorOptions>('inspector', options, names);
  const { page = true, files, traceUrl } = options;
  if (files !== undefined && !files.has('index.html'))
    throw new ToolpactError('invalid_option', 'inspector.files has no index.html', { option: 'inspector.files' });
  if (traceUrl !== undefined && !/^https?:\/\/.*\{traceId\}/.test(traceUrl))
    throw new ToolpactError('invalid_option', 'inspector.traceUrl must be an http address with {traceId} in it', {
      option: 'inspector.traceUrl',
    });
  const { page: _, files: _files, ...rest } = options;
  return page ? { ...rest, files: files ?? inspectorFiles() } : rest;
}
