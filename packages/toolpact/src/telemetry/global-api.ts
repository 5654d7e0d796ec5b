import type * as otel from '@opentelemetry/api';
import { ToolpactError } from '../outcome/index.ts';

/** The API of OpenTelemetry, which is an optional package: an import that names it would fail without saying what to do. */
export const globalApi: typeof otel = await import('@opentelemetry/api').catch((cause: unknown) => {
  throw new ToolpactError(
    'missing_package',
    'toolpact/telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api',
    {},
    { cause },
  );
});
