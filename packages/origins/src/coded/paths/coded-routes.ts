import type { Route } from '../../../../server/src/request/route.ts';
import { codedDocs } from './coded-docs.ts';
import { executeRows } from './execute-rows.ts';
import { initRows } from './init-rows.ts';
import { plainRows } from './plain-rows.ts';
import { sessionRows } from './session-rows.ts';

/** The routes under the paths of the system that the coded envelope comes from; only a server that speaks that dialect has them. */
export const codedRoutes: readonly Route[] = [...executeRows, ...sessionRows, ...initRows, ...plainRows].map((route) => {
  const docs = codedDocs[route.path];
  return docs === undefined ? route : { ...route, docs };
});
