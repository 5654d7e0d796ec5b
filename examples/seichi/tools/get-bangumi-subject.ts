import { fromJsonSchema } from '@toolpact/openapi';
import { defineTool, fail, ok } from 'toolpact';
import { echoed } from './echoed.ts';
import { type Subject, toSubject } from './parse-subjects.ts';
import type { Upstream } from './upstream.ts';

/** A subject; null only where the call failed. */
export interface SubjectDetails {
  readonly subject_id: number;
  readonly subject: Subject | null;
}

/** Creates the tool that returns everything about one subject. */
export function getBangumiSubject(bangumi: Upstream) {
  return defineTool({
    name: 'get_bangumi_subject',
    description: 'Returns the details of one Bangumi subject: titles, summary, air date, episodes, rating, tags.',
    input: fromJsonSchema<{ readonly subject_id: number }>({
      type: 'object',
      properties: {
        subject_id: { type: 'integer', minimum: 1, maximum: 9_999_999_999, description: 'The id, as search_bangumi_subjects gives it.' },
      },
      required: ['subject_id'],
      additionalProperties: false,
    }),
    output: fromJsonSchema<SubjectDetails>({
      type: 'object',
      properties: {
        subject_id: { type: 'integer' },
        subject: { type: ['object', 'null'], description: 'The subject as Bangumi gives it.' },
      },
      required: ['subject_id', 'subject'],
    }),
    effects: 'none',
    echoInput: false,
    onFailure: (input) => ({ subject_id: echoed(input, 'subject_id', 0), subject: null }),
    examples: [{ input: { subject_id: 115908 } }],
    async run({ subject_id }, call) {
      const { json, cached } = await bangumi.get(`/v0/subjects/${subject_id}`, call);
      const subject = toSubject(json);
      if (subject === undefined) throw fail('bad_response', 'Bangumi answered without a subject.');
      return ok({ subject_id, subject }, { cacheHit: cached });
    },
  });
}
