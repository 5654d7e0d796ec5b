import { fromJsonSchema } from '@toolpact/openapi';
import { type Content, defineTool, ok } from 'toolpact';
import { echoed } from './echoed.ts';
import { oneLine } from './one-line.ts';
import { type Point, parsePoints } from './parse-points.ts';
import type { Upstream } from './upstream.ts';

/** The places of one anime. */
export interface PointList {
  readonly bangumi_id: string;
  readonly points: readonly Point[];
}

const textOrNull = { type: ['string', 'null'] };

/** Creates the tool that returns the places of one anime. */
export function getAnitabiPoints(anitabi: Upstream, imageBase: string) {
  return defineTool({
    name: 'get_anitabi_points',
    description: 'Returns the real places (pilgrimage points) that appear in an anime: position, episode, second, screenshot.',
    input: fromJsonSchema<{ readonly bangumi_id: string }>({
      type: 'object',
      properties: {
        bangumi_id: { type: 'string', pattern: '^[1-9][0-9]{0,9}$', description: 'The Bangumi id of the anime, as text: "115908".' },
      },
      required: ['bangumi_id'],
      additionalProperties: false,
    }),
    output: fromJsonSchema<PointList>({
      type: 'object',
      properties: {
        bangumi_id: { type: 'string' },
        points: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              name: { type: 'string' },
              cn_name: textOrNull,
              lat: { type: 'number', minimum: -90, maximum: 90 },
              lng: { type: 'number', minimum: -180, maximum: 180 },
              episode: { type: ['number', 'string', 'null'], description: 'A number, or what stands in its place, such as OP or ED.' },
              time_seconds: { type: ['number', 'null'] },
              screenshot_url: textOrNull,
              address: textOrNull,
            },
            required: ['id', 'name', 'cn_name', 'lat', 'lng', 'episode', 'time_seconds', 'screenshot_url', 'address'],
          },
        },
      },
      required: ['bangumi_id', 'points'],
    }),
    effects: 'none',
    echoInput: false,
    onFailure: (input) => ({ bangumi_id: echoed(input, 'bangumi_id', ''), points: [] }),
    examples: [{ input: { bangumi_id: '115908' } }],
    async run({ bangumi_id }, call) {
      const { json, cached } = await anitabi.get(`/bangumi/${bangumi_id}/points/detail`, call);
      const { points, warnings } = parsePoints(json, imageBase);
      const content = toContent(bangumi_id, points, warnings);
      return ok({ bangumi_id, points }, { content, warnings, cacheHit: cached, empty: points.length === 0 });
    },
  });
}

/** Hundreds of points as JSON slow a model down; one line each says all it can plan with, and nothing left out stays unsaid. */
function toContent(id: string, points: readonly Point[], warnings: readonly string[]): readonly Content[] {
  const lines = points.map(({ id: point, name, cn_name, lat, lng, episode, time_seconds }) => {
    const names = cn_name === null || cn_name === name ? name : `${name} / ${cn_name}`;
    return oneLine(`${point} | ${names} | ${lat}, ${lng} | ep ${episode ?? '?'} at ${time_seconds ?? '?'} s`);
  });
  const head = `${points.length} points of anime ${id} (id | name | latitude, longitude | scene)`;
  return [{ type: 'text', text: [head, ...lines, ...warnings.map((warning) => `Note: ${warning}`)].join('\n') }];
}
