import type { GuardedCallsToolbox as ServedToolbox } from '@toolpact/server';
import { createResources, createToolbox, type JsonObject, type Resources, ToolpactError } from 'toolpact';
import type { Guard, Store } from 'toolpact/extend';
import {
  type ApprovalsOptions,
  approvals,
  cache,
  circuitBreaker,
  concurrency,
  defer,
  idempotency,
  journal,
  rateLimit,
  repeatBreaker,
  resultReader,
  retry,
  spill,
} from 'toolpact/guards';
import type { Listener } from 'toolpact/internal';
import { addGuard, type Report } from 'toolpact/internal';
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
  /** Whether it is a developer's: calls are recorded, also those of a toolbox that has no journal. */
  readonly isDev?: boolean;
  /** Sends calls to an engine instead of running them here. */
  readonly engine?: Guard | undefined;
  /** Says how a person approves a call that waits here. */
  readonly howToApprove?: ApprovalsOptions['howToApprove'];
}

/** Puts loaded tools under one roof with all guards that the settings ask for. A toolbox of the user's own keeps its guards. */
export function wireToolbox(
  loaded: LoadedTools,
  given: Settings,
  store: Store,
  listeners: Listeners = {},
  { isPublic = false, isDev = false, engine, howToApprove }: Place = {},
): ServedToolbox {
  const settings = withPreset(given);
  const { onFailure = () => undefined, telemetry } = listeners;
  if (loaded.toolbox !== undefined) {
    if (engine !== undefined)
      throw new CliError('--engine cannot work: your file exports a toolbox, which has its own guards and store.', {
        fix: 'Add onRestate of @toolpact/restate to its guards, or export the tools alone.',
      });
    const lacksJournal = isDev && loaded.toolbox.calls === undefined;
    refuseIdleSettings(settings, lacksJournal ? journalSettings : []);
    const { journal: wanted, retentionMs } = settings;
    return listened(lacksJournal && wanted ? addGuard(loaded.toolbox, journal({ store, retentionMs })) : loaded.toolbox, listeners);
  }
  const isLacking = !loaded.tools.some(({ name }) => name === 'read_result');
  const tools = [...loaded.tools, ...(settings.spill && isLacking ? [resultReader({ store })] : [])];
  const guards = guardsOf(settings, store, howToApprove);
  try {
    const toolbox = createToolbox(tools, {
      use: engine === undefined ? guards : [...guards.filter(({ name }) => !replacedGuards.includes(name)), engine],
      ...(loaded.resources !== undefined && loaded.resources.length > 0 && { resources: createResources(loaded.resources) }),
      report: onFailure,
      ...(telemetry && { telemetry }),
      classify: settings.classify,
      expose: settings.expose ?? (isPublic ? 'authored' : (presetOf(settings)?.toolbox?.expose ?? 'redacted')),
      timeoutMs: settings.timeoutMs,
      maxResultChars: settings.maxResultChars,
    });
    return listened(toolbox, listeners);
  } catch (error) {
    throw explain(error);
  }
}

/** Closes what the tools of a toolbox have opened, for commands that run no server. */
export async function closeToolbox({ resources }: ServedToolbox): Promise<void> {
  await (resources as Partial<Resources> | undefined)?.close?.();
}

/** The guards whose work an engine does. */
const replacedGuards: readonly string[] = ['idempotency', 'defer'];

function guardsOf(settings: Settings, store: Store, howToApprove: Place['howToApprove']): Guard[] {
  const { retentionMs, approvalExpiresMs, deferAfterMs, retryAttempts, repeatRefuseAfter, rateLimit: limit, concurrency: max } = settings;
  // The order counts within a phase: limits before the queue, the cache before what keeps large results.
  return [
    ...(settings.journal ? [journal({ store, retentionMs })] : []),
    ...(settings.repeatBreaker
      ? [repeatBreaker({ hintAfter: Math.max(1, repeatRefuseAfter - 1), refuseAfter: repeatRefuseAfter, stopAfter: repeatRefuseAfter + 2 })]
      : []),
    ...(settings.approvals ? [approvals({ store, expiresMs: approvalExpiresMs, ...(howToApprove && { howToApprove }) })] : []),
    ...(settings.defer ? [defer({ store, ...(deferAfterMs !== undefined && { afterMs: deferAfterMs }) })] : []),
    ...(limit !== undefined ? [rateLimit({ limit, store })] : []),
    ...(settings.circuitBreaker ? [circuitBreaker({ store })] : []),
    ...(max !== undefined ? [concurrency({ max })] : []),
    ...(settings.idempotency ? [idempotency({ store })] : []),
    ...(settings.cache ? [cache({ store })] : []),
    ...(settings.spill ? [spill({ store })] : []),
    ...(settings.retry ? [retry({ attempts: retryAttempts })] : []),
  ];
}

/** The settings of a journal that is added to a toolbox. */
const journalSettings: readonly SettingName[] = ['journal', 'retentionMs', 'store'];

/** Refuses settings that would have no effect: the user relies on them. */
function refuseIdleSettings({ setBy }: Settings, counting: readonly SettingName[]): void {
  const names = settingNames.filter((name) => ['calls', 'guards'].includes(settingOf(name).group) || name === 'store');
  const idle = names.find((name) => setBy.has(name) && !counting.includes(name));
  if (idle === undefined) return;
  const written = { flag: `--${flagOf(idle)}`, variable: variableOf(idle), file: `the field ${idle}` }[setBy.get(idle) ?? 'file'];
  throw new CliError(`${written} cannot work: your file exports a toolbox, which has its own guards and store.`, {
    fix: 'Set it in createToolbox, or export the tools alone.',
  });
}

function listened(toolbox: ServedToolbox, { onEvent }: Listeners): ServedToolbox {
  if (onEvent !== undefined) toolbox.subscribe(onEvent);
  return toolbox;
}

/** Explains why tools cannot be served together: a mistake in the tools, or a guard that a setting switched off. */
function explain(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const { code, details } = error instanceof ToolpactError ? error : { code: undefined, details: {} as JsonObject };
  const tool = String(details.tool);
  if (code === 'missing_resource') {
    const fix = 'Export what defineResource gives, from the file of the tool.';
    return new CliError(`The tool "${tool}" needs the resource "${String(details.resource)}", which no file exports.`, {
      fix,
      cause: error,
    });
  }
  const guard = code === 'missing_guard' ? switches[String(details.promise)] : undefined;
  if (guard === undefined) return new CliError(`The tools do not fit together: ${error.message}.`, { cause: error });
  return new CliError(`The tool "${tool}" needs ${guard}, which is switched off.`, {
    fix: `Leave --no-${flagOf(guard)} out.`,
    cause: error,
  });
}

const switches: Readonly<Record<string, string>> = {
  idempotency: 'idempotency',
  reconcile: 'idempotency',
  retry: 'retry',
  cache: 'cache',
  deferAfterMs: 'defer',
  approval: 'approvals',
};
