import type { GivenRoute } from '@toolpact/server';
import type { ToolboxOptions } from 'toolpact';
import { toLogRecord } from 'toolpact/internal';
import type { OpenTelemetryOptions } from 'toolpact/telemetry';
import { coded as codedDialect } from '../coded/coded.ts';
import { codedPaths } from '../coded/paths/coded-paths.ts';
import { codedRequests } from '../coded/paths/coded-requests.ts';
import { toolErrorType } from '../error-type/tool-error-type.ts';
import { flat as flatDialect } from '../flat/flat.ts';
import { status as statusDialect } from '../status/status.ts';
import { value as valueDialect } from '../value/value.ts';

/** The options with which a system keeps one of the contracts that Toolpact comes from: spread each part where it belongs. */
export interface Preset {
  readonly toolbox: Pick<ToolboxOptions, 'expose' | 'classify' | 'report' | 'maxResultChars'>;
  readonly adapter: { readonly dialect?: PresetDialect };
  readonly server: { readonly dialect?: PresetDialect; readonly routes?: readonly GivenRoute[]; readonly tenant?: 'required' };
  readonly telemetry: Pick<OpenTelemetryOptions, 'errorType'>;
}

type PresetDialect = typeof flatDialect | typeof codedDialect | typeof valueDialect | typeof statusDialect;

// None of the contracts cuts an error or a result.
const whole = { expose: 'full', maxResultChars: Number.MAX_SAFE_INTEGER } as const;
const asThrown = { ...whole, classify: 'structure' } as const;

/** Keeps `{ success, error, …fields }`: errors in their own words, every failure logged with its arguments and stack. */
export const flat: Preset = Object.freeze<Preset>({
  toolbox: {
    ...asThrown,
    report: ({ tool, input, error, failure }) =>
      console.error(`${tool} failed`, input, toLogRecord(error?.stack ?? error?.message ?? failure.message)),
  },
  ...spoken(flatDialect),
  telemetry: {},
});

/**
 * Keeps `{ code, message, data, meta }`: errors in their own words, 5004 for every exception that states no number, and the paths of that
 * system on a server.
 */
export const coded: Preset = Object.freeze<Preset>({
  toolbox: asThrown,
  adapter: { dialect: codedDialect },
  server: { dialect: codedDialect, routes: [...codedRequests, ...codedPaths()] },
  telemetry: {},
});

/** Keeps `{ success, value, message }` as the tool message that a model reads. */
export const value: Preset = Object.freeze<Preset>({ toolbox: whole, ...spoken(valueDialect), telemetry: {} });

/** Keeps the union of `status: 'ok'` and `status: 'error'`, and calls on a server that belong to a tenant. */
export const status: Preset = Object.freeze<Preset>({
  toolbox: whole,
  adapter: { dialect: statusDialect },
  server: { dialect: statusDialect, tenant: 'required' },
  telemetry: {},
});

/** Keeps the documented `error.type` values on the spans of tool calls. */
export const genAi001: Preset = Object.freeze<Preset>({
  toolbox: { classify: 'structure' },
  adapter: {},
  server: {},
  telemetry: { errorType: toolErrorType },
});

function spoken(dialect: PresetDialect): Pick<Preset, 'adapter' | 'server'> {
  return { adapter: { dialect }, server: { dialect } };
}
