import { ToolpactError } from 'toolpact';
import { withTimeLimit } from 'toolpact/internal';
import type { OpenTelemetry } from 'toolpact/telemetry';
import { CliError } from '../cli-error.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Returns the telemetry that records calls and requests, where the settings ask for it. Its package is loaded only then. */
export async function loadTelemetry({ telemetry }: Pick<Settings, 'telemetry'>): Promise<OpenTelemetry | undefined> {
  if (!telemetry) return undefined;
  try {
    const { openTelemetry } = await import('toolpact/telemetry');
    return openTelemetry({ isServer: true });
  } catch (cause) {
    if (!(cause instanceof ToolpactError) || cause.code !== 'missing_package') throw cause;
    throw new CliError('Telemetry needs the package @opentelemetry/api, which is not installed.', {
      fix: 'npm install @opentelemetry/api',
      cause,
    });
  }
}

const maxFlushMs = 2_000;

/** Waits until what was recorded has been sent, because SDKs send in batches; not for long where no collector answers. */
export async function flushTelemetry(telemetry: OpenTelemetry | undefined): Promise<void> {
  if (telemetry === undefined) return;
  await withTimeLimit(telemetry.flush(), { ms: maxFlushMs, onLate: () => undefined });
}
