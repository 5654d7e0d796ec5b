/**
 * How often a property is tried. The test command tries the same few cases each time; `npm run proof -- properties` draws new ones, many times as
 * many as the number given.
 */
export function propertyRuns(usual: number): { readonly numRuns: number; readonly seed?: number } {
  const times = process.env.TEST_PROPERTY_TIMES;
  return times === undefined ? { numRuns: Math.ceil(usual / 5), seed: 20_261_115 } : { numRuns: usual * Number(times) };
}
