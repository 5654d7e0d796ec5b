import { openTelemetry } from 'toolpact/telemetry';
import type { ServerOptions } from './server-options.ts';
import type { StdioOptions } from './stdio.ts';

openTelemetry() satisfies ServerOptions['telemetry'];
openTelemetry() satisfies StdioOptions['telemetry'];
// @ts-expect-error what records calls alone does not record requests
({ start: () => undefined }) satisfies ServerOptions['telemetry'];
