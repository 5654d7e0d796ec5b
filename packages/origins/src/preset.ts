import type { GivenRoute } from '@toolpact/server';
import type { ToolboxOptions } from 'toolpact';
import type { Dialect } from 'toolpact/extend';
import type { OpenTelemetryOptions } from 'toolpact/telemetry';

/** The options with which a system keeps one of the contracts that Toolpact comes from: spread each part where it belongs. */
export interface Preset<TDialect extends Dialect = Dialect> {
  readonly toolbox: Pick<ToolboxOptions, 'expose' | 'classify' | 'report' | 'repair' | 'maxResultChars'>;
  readonly adapter: { readonly dialect?: TDialect };
  readonly server: { readonly dialect?: TDialect; readonly routes?: readonly GivenRoute[]; readonly tenant?: 'required' };
  readonly telemetry: Pick<OpenTelemetryOptions, 'errorType'>;
}

/** Options of a toolbox that cuts no error and no result: none of the contracts does. */
export const uncut = { expose: 'full', maxResultChars: Number.MAX_SAFE_INTEGER } as const satisfies Preset['toolbox'];
