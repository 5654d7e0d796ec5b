import type { FunctionTool } from '@google/adk';
import { preset } from '@toolpact/origins/flat';
import { createToolbox, defineTool, fail } from 'toolpact';
import { toTools } from 'toolpact/adapters/adk';
import { z } from 'zod';
import type { UseCases } from '../use-cases.ts';

type Near = { readonly radius_km: number };
type Translate = { readonly text: string; readonly target_language: string };

/** The same five tools: no `try`, no dictionary, no log line. */
export function createTools(use: UseCases): FunctionTool[] {
  const search = defineTool({
    name: 'search_bangumi_subjects',
    description: 'Searches anime titles.',
    input: z.object({ keyword: z.string() }),
    effects: 'none',
    onFailure: { results: [] },
    async run({ keyword }) {
      if (keyword.trim() === '') return fail('invalid_input', 'keyword must not be empty');
      return { results: await use.searchSubjects(keyword) };
    },
  });
  const subject = defineTool({
    name: 'get_bangumi_subject',
    description: 'Reads one title.',
    input: z.object({ subject_id: z.number().int() }),
    effects: 'none',
    onFailure: { subject: null },
    run: async ({ subject_id }): Promise<{ subject: object | null }> => ({ subject: await use.getSubject(subject_id) }),
  });
  const points = defineTool({
    name: 'get_anitabi_points',
    description: 'Lists the places of a title.',
    input: z.object({ bangumi_id: z.string() }),
    effects: 'none',
    onFailure: { points: [] },
    run: async ({ bangumi_id }) => ({ points: await use.getPoints(bangumi_id) }),
  });
  const near = defineTool({
    name: 'search_anitabi_bangumi_near_station',
    description: 'Finds titles with places near a station.',
    input: z.object({ station_name: z.string(), radius_km: z.number().default(5) }),
    effects: 'none',
    echoInput: false,
    onFailure: (input) => ({ station: null, bangumi_list: [], radius_km: (input as Near).radius_km }),
    async run({ station_name, radius_km }): Promise<{ station: object | null; bangumi_list: object[]; radius_km: number }> {
      const { station, bangumi_list } = await use.searchNear(station_name, radius_km);
      return { station, bangumi_list, radius_km };
    },
  });
  const translate = defineTool({
    name: 'translate_tool',
    description: 'Translates a title.',
    input: z.object({ text: z.string(), target_language: z.string() }),
    effects: 'none',
    echoInput: false,
    onFailure: (input) => {
      const { text, target_language } = input as Translate;
      return { original: text, translated: text, target_language };
    },
    run: async ({ text, target_language }) => ({
      original: text,
      translated: await use.translate(text, target_language),
      target_language,
    }),
  });
  return toTools(createToolbox([search, subject, points, near, translate], { preset }));
}
