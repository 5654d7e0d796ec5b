import type { Attributes } from '@opentelemetry/api';
import { refuseOptions } from '../outcome/index.ts';
import type { SpanEnricher } from './enricher.ts';

/** Adds the attributes that Langfuse reads besides the conventions. */
export interface LangfuseOptions {
  /** More tags for every call. */
  readonly tags?: readonly string[];
}

/**
 * Writes what Langfuse reads: the session, the user, and the run ids as tags `run:…` and `ingest:…`. Type, name, level and message it
 * takes from the span itself.
 */
export function langfuse(options: LangfuseOptions = {}): SpanEnricher {
  refuseOptions<LangfuseOptions>('langfuse', options, { tags: true });
  return {
    start({ context }) {
      const { sessionId, conversationId, userId, runId, tenantId, ids } = context;
      const { caseId, ingestionRunId, workflowId } = ids ?? {};
      const tags = [...(options.tags ?? []), ...prefixed('run', runId), ...prefixed('ingest', ingestionRunId)];
      return defined({
        'langfuse.session.id': sessionId ?? conversationId ?? caseId,
        'langfuse.user.id': userId,
        'langfuse.trace.tags': tags.length === 0 ? undefined : tags,
        'langfuse.trace.metadata.tenant_id': tenantId,
        'langfuse.trace.metadata.case_id': caseId,
        'langfuse.trace.metadata.workflow_id': workflowId,
      });
    },
    end(_call, outcome) {
      const failure = outcome.status === 'error' ? outcome.error : undefined;
      // Denied and cancelled calls have no error status from which Langfuse could read a level.
      if (failure?.kind !== 'denied' && failure?.kind !== 'cancelled') return {};
      return { 'langfuse.observation.level': 'WARNING', 'langfuse.observation.status_message': failure.message };
    },
  };
}

function prefixed(prefix: string, id: string | undefined): string[] {
  return id === undefined ? [] : [`${prefix}:${id}`];
}

function defined(attributes: Readonly<Record<string, string | string[] | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
