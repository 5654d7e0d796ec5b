import { coded as codedDialect, flat as flatDialect, status as statusDialect, value as valueDialect } from '../../core/dialects/index.ts';
import type { ToolboxOptions } from '../../core/runtime/index.ts';

/** The options with which a system keeps one of the contracts that Toolpact comes from: spread each part where it belongs. */
export interface Preset {
  readonly toolbox: Pick<ToolboxOptions, 'expose' | 'classify' | 'report'>;
  readonly adapter: { readonly dialect?: typeof flatDialect | typeof codedDialect | typeof valueDialect | typeof statusDialect };
  readonly server: object;
  readonly telemetry: { readonly values?: '001' };
}

const asThrown = { expose: 'full', classify: 'structure' } as const;

/** Keeps `{ success, error, …fields }`: errors in their own words, every failure logged with its arguments and stack. */
export const flat: Preset = Object.freeze<Preset>({
  toolbox: {
    ...asThrown,
    report: ({ tool, input, error }) => console.error(`${tool} failed`, input, error?.stack ?? error?.message),
  },
  adapter: { dialect: flatDialect },
  server: {},
  telemetry: {},
});

/** Keeps `{ code, message, data, meta }`: errors in their own words, and 5004 for every exception that states no number. */
export const coded: Preset = Object.freeze<Preset>({ toolbox: asThrown, adapter: { dialect: codedDialect }, server: {}, telemetry: {} });

/** Keeps `{ success, value, message }` as the tool message that a model reads. */
export const value: Preset = Object.freeze<Preset>({
  toolbox: { expose: 'full' },
  adapter: { dialect: valueDialect },
  server: {},
  telemetry: {},
});

/** Keeps the union of `status: 'ok'` and `status: 'error'`. */
export const status: Preset = Object.freeze<Preset>({
  toolbox: { expose: 'full' },
  adapter: { dialect: statusDialect },
  server: {},
  telemetry: {},
});

/** Keeps the documented `error.type` values on the spans of tool calls. */
export const genAi001: Preset = Object.freeze<Preset>({
  toolbox: { classify: 'structure' },
  adapter: {},
  server: {},
  telemetry: { values: '001' },
});
