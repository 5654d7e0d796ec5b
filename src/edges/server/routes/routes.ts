import { codedRoutes } from '../coded/coded-routes.ts';
import { mcpRoutes } from '../mcp/mcp-routes.ts';
import type { Route } from '../request/route.ts';
import { approvalRoutes } from './approval-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { callListRoutes } from './call-list-routes.ts';
import { callRoutes } from './call-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { openApiRoutes } from './openapi-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { storedCallRoutes } from './stored-call-routes.ts';
import { toolRoutes } from './tool-routes.ts';

/** The table of all routes. The listeners and the OpenAPI document are made from it. */
export const routes: readonly Route[] = [
  ...batchRoutes,
  ...callRoutes,
  ...toolRoutes,
  ...callListRoutes,
  ...storedCallRoutes,
  ...approvalRoutes,
  ...sessionRoutes,
  ...codedRoutes,
  ...mcpRoutes,
  ...healthRoutes,
  ...openApiRoutes,
];
