import type { GivenRoute } from '@toolpact/server';
import type { Preset as ToolboxPreset } from 'toolpact';
import type { Dialect } from 'toolpact/extend';

/** The options with which a system keeps one of the contracts that Toolpact comes from: `createToolbox(tools, { preset })`. */
export interface Preset<TDialect extends Dialect = Dialect> extends ToolboxPreset<TDialect> {
  readonly server?: { readonly routes?: readonly GivenRoute[]; readonly tenant?: 'required' };
}

/** Options of a toolbox that cuts no error and no result: none of the contracts does. */
export const uncut = { expose: 'full', maxResultChars: Number.MAX_SAFE_INTEGER } as const satisfies Preset['toolbox'];
