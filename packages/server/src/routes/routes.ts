import { callDetailRoutes } from '../inspector/call-detail-routes.ts';
import { gatewayRoutes } from '../inspector/gateway-routes.ts';
import { healthRoute } from '../inspector/health-route.ts';
import { inspectorRoutes } from '../inspector/inspector-routes.ts';
import { pageRoutes } from '../inspector/page-routes.ts';
import { mcpRoutes } from '../mcp/mcp-routes.ts';
import { operatorRoute } from '../operator/operator-route.ts';
import type { Route } from '../request/route.ts';
import { approvalRoutes } from './approval-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { callListRoutes } from './call-list-routes.ts';
import { callRoutes } from './call-routes.ts';
import { downloadRoute } from './download-route.ts';
import { healthRoutes } from './health-routes.ts';
import { openApiRoutes } from './openapi-routes.ts';
import { repeatRoutes } from './repeat-routes.ts';
import { rerunRoute } from './rerun-route.ts';
import { sessionRoutes } from './session-routes.ts';
import { storedCallRoutes } from './stored-call-routes.ts';
import { toolRoutes } from './tool-routes.ts';

/** The table of the routes that every server has. The listeners and the OpenAPI document are made from it. */
export const routes: readonly Route[] = [
  ...batchRoutes,
  ...callRoutes,
  ...toolRoutes,
  ...callListRoutes,
  downloadRoute,
  ...callDetailRoutes,
  rerunRoute,
  ...repeatRoutes,
  ...storedCallRoutes,
  ...approvalRoutes,
  ...sessionRoutes,
  ...mcpRoutes,
  operatorRoute,
  ...healthRoutes,
  ...inspectorRoutes,
  ...gatewayRoutes,
  healthRoute,
  ...openApiRoutes,
  ...pageRoutes,
];
