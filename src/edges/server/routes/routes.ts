import type { Hono } from 'hono';
import { addMcpRoutes } from '../mcp/mcp-routes.ts';
import { addOpenApiRoutes } from '../openapi/openapi-routes.ts';
import type { Gate } from '../request/gate.ts';
import type { ServerParts } from '../server-options.ts';
import { addApprovalRoutes } from './approval-routes.ts';
import { addBatchRoutes } from './batch-routes.ts';
import { addCallRoutes } from './call-routes.ts';
import { addHealthRoutes } from './health-routes.ts';
import { addSessionRoutes } from './session-routes.ts';
import { addRecallRoutes } from './stored-call-routes.ts';
import { addToolRoutes } from './tool-routes.ts';

/** Adds the routes of one matter. */
export type AddRoutes = (app: Hono, parts: ServerParts, gate: Gate) => void;

/** All matters a server answers; each route file has one line here. */
export const routes: readonly AddRoutes[] = [
  addHealthRoutes,
  addCallRoutes,
  addBatchRoutes,
  addToolRoutes,
  addRecallRoutes,
  addApprovalRoutes,
  addSessionRoutes,
  addMcpRoutes,
  addOpenApiRoutes,
];
