import { ApiError, send } from '../api/ask-server.ts';
import type { CallFilters } from '../state/filters.ts';
import { toApiQuery } from '../state/filters.ts';

/** The forms in which calls are downloaded. */
export const downloadForms = { jsonl: 'JSON lines', otlp: 'OTLP traces (JSON)' } as const;

/** Downloads the calls that pass the filters. The request carries the credential, so it cannot be a plain link. */
export async function downloadCalls(format: keyof typeof downloadForms, filters: CallFilters): Promise<void> {
  const query = toApiQuery(filters, Date.now());
  query.set('format', format);
  const response = await send(`v1/calls/download?${query}`);
  if (!response.ok) {
    const { detail } = (await response.json().catch(() => ({}))) as { readonly detail?: string };
    throw new ApiError(response.status, detail ?? `The server answered with status ${response.status}.`);
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = `calls.${format === 'otlp' ? 'otlp.json' : 'jsonl'}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
