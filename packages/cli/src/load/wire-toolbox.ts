import type { ServedToolbox } from '@toolpact/server';
import {
  type AnyTool,
  type ApprovalsOptions,
  createResources,
  createToolbox,
  type JsonObject,
  type Resources,
  type ToolboxOptions,
  type ToolDeclaration,
  ToolpactError,
} from 'toolpact';
import type { Guard, Store } from 'toolpact/extend';
import { circuitBreaker, concurrency, rateLimit, repeatBreaker, resultReader, spill } from 'toolpact/guards';
import { addStore, type DeclaredTool, type Listener, type Report } from 'toolpact/internal';
import { type Notifier, webhook } from 'toolpact/notify';
import type { Telemetry } from 'toolpact/telemetry';
import { CliError } from '../cli-error.ts';
import type { Settings } from '../settings/read-settings.ts';
import { flagOf, type SettingName, settingNames, settingOf, variableOf } from '../settings/settings.ts';
import type { LoadedTools } from './load-tools.ts';
import { presetOf, withPreset } from './preset-of.ts';

/** Listeners of the tools. */
export interface Listeners {
  readonly onEvent?: Listener;
  readonly onFailure?: Report;
  readonly telemetry?: Telemetry | undefined;
}

/** Where tools are served. */
export interface Place {
  /** Whether others can reach it. */
  readonly isPublic?: boolean;
  /** Whether it is a developer's: calls are remembered, also those of a toolbox that has no store. */
  readonly isDev?: boolean;
  /** Says how a person approves a call that waits here. */
  readonly howToApprove?: ApprovalsOptions['howToApprove'];
}

/** Puts loaded tools under one roof with all guards that the settings ask for. A toolbox of the user's own keeps its guards. */
export function wireToolbox(
  loaded: LoadedTools,
  given: Settings,
  store: Store,
  listeners: Listeners = {},
  place: Place = {},
): ServedToolbox {
  const settings = withPreset(given);
  const { isDev = false } = place;
  if (loaded.toolbox !== undefined) {
    const lacksStore = isDev && loaded.toolbox.calls === undefined;
    refuseIdleSettings(settings, lacksStore ? storeSettings : []);
    return listened(lacksStore ? addStore(loaded.toolbox, store, callsOf(settings)) : loaded.toolbox, listeners);
  }
  try {
    const toolbox = createToolbox([...loaded.tools, ...readerFor(loaded.tools, settings, store)], {
      ...toolboxOptions(settings, store, listeners, place),
      ...(loaded.resources !== undefined && loaded.resources.length > 0 && { resources: createResources(loaded.resources) }),
    });
    return listened(toolbox, listeners);
  } catch (error) {
    throw explain(error);
  }
}

/** Returns the tool that reads results which were too large, where the settings keep them and no tool of that name is there. */
export function readerFor(tools: readonly AnyTool[], { spill: keeps }: Settings, store: Store): readonly AnyTool[] {
  return keeps && !tools.some(({ name }) => name === 'read_result') ? [resultReader({ store })] : [];
}

/** Returns the options of a toolbox with all guards that the settings ask for. */
export function toolboxOptions(
  settings: Settings,
  store: Store,
  { onFailure = () => undefined, telemetry }: Listeners,
  { isPublic = false, howToApprove }: Place,
) {
  return {
    store,
    calls: callsOf(settings),
    approvals: { expiresMs: settings.approvalExpiresMs, ...(howToApprove && { howToApprove }) },
    notify: notifiersOf(settings),
    declare: (tool: DeclaredTool) => declarationFor(tool, settings),
    use: guardsOf(settings, store),
    report: onFailure,
    ...(telemetry && { telemetry }),
    classify: settings.classify,
    expose: settings.expose ?? (isPublic ? 'authored' : (presetOf(settings)?.toolbox?.expose ?? 'redacted')),
    timeoutMs: settings.timeoutMs,
    maxResultChars: settings.maxResultChars,
  } satisfies ToolboxOptions;
}

/** Closes what the tools of a toolbox have opened, for commands that run no server. */
export async function closeToolbox({ resources }: ServedToolbox): Promise<void> {
  await (resources as Partial<Resources> | undefined)?.close?.();
}

function callsOf({ retentionMs, listCalls }: Settings) {
  return { keepMs: retentionMs, list: listCalls };
}

/** The webhooks that the settings name. */
function notifiersOf({ webhooks = [], webhookSecret: secret, webhookPage: page }: Settings): readonly Notifier[] {
  if (webhooks.length === 0) return [];
  if (secret === undefined)
    throw new CliError('webhooks need a secret, so that receivers can verify the messages.', {
      fix: `Set ${variableOf('webhookSecret')} to whsec_ followed by the output of: openssl rand -base64 32`,
    });
  try {
    return webhooks.map((url, index) => webhook({ url, secret, ...(page !== undefined && { page }), name: nameOf(url, webhooks, index) }));
  } catch (error) {
    throw error instanceof ToolpactError ? new CliError(`The webhooks cannot work: ${error.message}.`, { cause: error }) : error;
  }
}

/** The host of a webhook; if several have the same one, with its place in the list. */
function nameOf(url: string, webhooks: readonly string[], index: number): string {
  const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).host : text);
  const isOnly = webhooks.filter((each) => hostOf(each) === hostOf(url)).length === 1;
  return isOnly ? hostOf(url) : `${hostOf(url)} ${index + 1}`;
}

/** Declarations from the settings, for tools that declare nothing themselves. */
function declarationFor({ retry, deferAfterMs }: DeclaredTool, settings: Settings): ToolDeclaration {
  return {
    ...(retry === undefined && settings.retryAttempts > 1 && { retry: { attempts: settings.retryAttempts } }),
    ...(deferAfterMs === undefined && settings.deferAfterMs !== undefined && { deferAfterMs: settings.deferAfterMs }),
  };
}

function guardsOf(settings: Settings, store: Store): Guard[] {
  const { repeatRefuseAfter, rateLimit: limit, concurrency: max } = settings;
  // The order counts within a phase: limits before the queue.
  return [
    ...(settings.repeatBreaker
      ? [repeatBreaker({ hintAfter: Math.max(1, repeatRefuseAfter - 1), refuseAfter: repeatRefuseAfter, stopAfter: repeatRefuseAfter + 2 })]
      : []),
    ...(limit !== undefined ? [rateLimit({ limit, store })] : []),
    ...(settings.circuitBreaker ? [circuitBreaker({ store })] : []),
    ...(max !== undefined ? [concurrency({ max })] : []),
    ...(settings.spill ? [spill({ store })] : []),
  ];
}

/** The settings of a store that is added to a toolbox. */
const storeSettings: readonly SettingName[] = ['listCalls', 'retentionMs', 'store'];

/** Refuses settings that would have no effect: the user relies on them. */
function refuseIdleSettings({ setBy }: Settings, counting: readonly SettingName[]): void {
  const names = settingNames.filter((name) => ['calls', 'guards'].includes(settingOf(name).group) || name === 'store');
  const idle = names.find((name) => setBy.has(name) && !counting.includes(name));
  if (idle === undefined) return;
  const written = { flag: `--${flagOf(idle)}`, variable: variableOf(idle), file: `the field ${idle}` }[setBy.get(idle) ?? 'file'];
  throw new CliError(`${written} cannot be used: your file exports a toolbox with its own guards and store.`, {
    fix: 'Set it in createToolbox, or export the tools alone.',
  });
}

/** Lets a listener hear of the calls of a toolbox. */
export function listened(toolbox: ServedToolbox, { onEvent }: Listeners): ServedToolbox {
  if (onEvent !== undefined) toolbox.subscribe(onEvent);
  return toolbox;
}

/** Explains why tools cannot be served together. */
function explain(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const { code, details } = error instanceof ToolpactError ? error : { code: undefined, details: {} as JsonObject };
  if (code === 'missing_resource') {
    const fix = 'Export what defineResource gives, from the file of the tool.';
    return new CliError(`The tool "${String(details.tool)}" needs the resource "${String(details.resource)}", which no file exports.`, {
      fix,
      cause: error,
    });
  }
  return new CliError(`Could not create the toolbox: ${error.message}.`, { cause: error });
}
