import { fromJsonSchema } from '@toolpact/openapi';
import { defineTool, ok } from 'toolpact';
import { echoed } from './echoed.ts';
import { notedContent } from './noted-content.ts';
import { parseSubjects, type Subject } from './parse-subjects.ts';
import type { Upstream } from './upstream.ts';

/** The search request. */
export interface SubjectSearch {
  readonly keyword: string;
  readonly subject_type?: 1 | 2 | 3 | 4 | 6;
  readonly max_results?: number;
}

/** The search result. */
export interface FoundSubjects {
  readonly keyword: string;
  readonly results: readonly Subject[];
}

/** Creates the tool that finds subjects by a keyword. */
export function searchBangumiSubjects(bangumi: Upstream) {
  return defineTool({
    name: 'search_bangumi_subjects',
    description: 'Searches Bangumi for anime (or books, music, games, real-life series) by title. Gives the id that the other tools take.',
    input: fromJsonSchema<SubjectSearch>({
      type: 'object',
      properties: {
        keyword: { type: 'string', minLength: 1, maxLength: 200, pattern: '\\S', description: 'A title or part of one, in any language.' },
        subject_type: { type: 'integer', enum: [1, 2, 3, 4, 6], default: 2, description: '1 book, 2 anime, 3 music, 4 game, 6 real life.' },
        max_results: { type: 'integer', minimum: 1, maximum: 20, default: 10, description: 'How many to give at most.' },
      },
      required: ['keyword'],
      additionalProperties: false,
    }),
    output: fromJsonSchema<FoundSubjects>({
      type: 'object',
      properties: {
        keyword: { type: 'string' },
        results: {
          type: 'array',
          description: 'Subjects as Bangumi gives them: id, name, name_cn, type, images, summary, air_date and more.',
          items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        },
      },
      required: ['keyword', 'results'],
    }),
    effects: 'none',
    // The answer repeats what it was asked in fields of its own, as documented.
    echoInput: false,
    onFailure: (input) => ({ keyword: echoed(input, 'keyword', ''), results: [] }),
    examples: [{ input: { keyword: 'けいおん' } }],
    async run({ keyword, subject_type = 2, max_results = 10 }, call) {
      const asked = { keyword: keyword.trim(), filter: { type: [subject_type] } };
      const { json, cached } = await bangumi.post(`/v0/search/subjects?limit=${max_results}&offset=0`, asked, call);
      const { subjects, warnings } = parseSubjects(json);
      const data = { keyword, results: subjects.slice(0, max_results) };
      return ok(data, { ...notedContent(data, warnings), warnings, cacheHit: cached, empty: data.results.length === 0 });
    },
  });
}
