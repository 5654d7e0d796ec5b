import type { GivenRoute } from '@toolpact/server';
import type { JsonObject } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { codedDocs } from './coded-docs.ts';
import { executeRows } from './execute-rows.ts';
import { createInitRows } from './init-rows.ts';
import { plainRows } from './plain-rows.ts';
import { sessionRows } from './session-rows.ts';

/** Options of the origin's paths. */
export interface CodedPathOptions {
  /** Configurations that `/api/v1/init/from-config` may send, by the path that callers ask for. @default none */
  readonly initConfigs?: Readonly<Record<string, JsonObject>>;
}

/** Creates the routes under the paths of the origin, `/api/v1/…` and `/health`, which answer as it does. */
export function codedPaths(options: CodedPathOptions = {}): readonly GivenRoute[] {
  refuseOptions<CodedPathOptions>('codedPaths', options, { initConfigs: 'an object' });
  const { initConfigs = {} } = options;
  return [...executeRows, ...sessionRows, ...createInitRows(initConfigs), ...plainRows].map((route) => ({
    ...route,
    docs: (parts) => codedDocs[route.path]?.(parts),
  }));
}
