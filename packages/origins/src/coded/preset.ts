import { type Preset, uncut } from '../preset.ts';
import { coded } from './coded.ts';
import { codedPaths } from './paths/coded-paths.ts';
import { codedRequests } from './paths/coded-requests.ts';

/**
 * Keeps `{ code, message, data, meta }`: errors in their own words, 5004 for every exception that states no number, and the paths of that
 * system on a server.
 */
export const preset: Preset<typeof coded> = Object.freeze<Preset<typeof coded>>({
  toolbox: { ...uncut, classify: 'structure' },
  dialect: coded,
  server: { routes: [...codedRequests, ...codedPaths()] },
});
