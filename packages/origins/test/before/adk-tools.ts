import { FunctionTool } from '@google/adk';
import { z } from 'zod';
import type { UseCases } from '../use-cases.ts';

/** The author's log: the name of the tool, its parameters, and the error with its stack. */
export type Log = (event: string, facts: Record<string, unknown>) => void;

/** The text of whatever was thrown, as `str(e)` gives it. */
const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The five tools as their author has them: each one catches everything and builds its dictionary by hand. */
export function createTools(use: UseCases, log: Log): FunctionTool[] {
  return [
    new FunctionTool({
      name: 'search_bangumi_subjects',
      description: 'Searches anime titles.',
      parameters: z.object({ keyword: z.string() }),
      async execute({ keyword }) {
        try {
          if (keyword.trim() === '') throw new Error('keyword must not be empty');
          return { success: true, error: null, keyword, results: await use.searchSubjects(keyword) };
        } catch (thrown) {
          log('search_bangumi_subjects failed', { keyword, error: thrown });
          return { success: false, error: textOf(thrown), keyword, results: [] };
        }
      },
    }),
    new FunctionTool({
      name: 'get_bangumi_subject',
      description: 'Reads one title.',
      parameters: z.object({ subject_id: z.number().int() }),
      async execute({ subject_id }) {
        try {
          return { success: true, error: null, subject_id, subject: await use.getSubject(subject_id) };
        } catch (thrown) {
          log('get_bangumi_subject failed', { subject_id, error: thrown });
          return { success: false, error: textOf(thrown), subject_id, subject: null };
        }
      },
    }),
    new FunctionTool({
      name: 'get_anitabi_points',
      description: 'Lists the places of a title.',
      parameters: z.object({ bangumi_id: z.string() }),
      async execute({ bangumi_id }) {
        try {
          return { success: true, error: null, bangumi_id, points: await use.getPoints(bangumi_id) };
        } catch (thrown) {
          log('get_anitabi_points failed', { bangumi_id, error: thrown });
          return { success: false, error: textOf(thrown), bangumi_id, points: [] };
        }
      },
    }),
    new FunctionTool({
      name: 'search_anitabi_bangumi_near_station',
      description: 'Finds titles with places near a station.',
      parameters: z.object({ station_name: z.string(), radius_km: z.number().default(5) }),
      async execute({ station_name, radius_km }) {
        try {
          const { station, bangumi_list } = await use.searchNear(station_name, radius_km);
          return { success: true, error: null, station, bangumi_list, radius_km };
        } catch (thrown) {
          log('search_anitabi_bangumi_near_station failed', { station_name, radius_km, error: thrown });
          return { success: false, error: textOf(thrown), station: null, bangumi_list: [], radius_km };
        }
      },
    }),
    new FunctionTool({
      name: 'translate_tool',
      description: 'Translates a title.',
      parameters: z.object({ text: z.string(), target_language: z.string() }),
      async execute({ text, target_language }) {
        try {
          return { success: true, error: null, original: text, translated: await use.translate(text, target_language), target_language };
        } catch (thrown) {
          log('translate_tool failed', { text, target_language, error: thrown });
          return { success: false, error: textOf(thrown), original: text, translated: text, target_language };
        }
      },
    }),
  ];
}
