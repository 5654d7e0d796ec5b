/** Short descriptions of guards. Guards that are not listed are shown by name alone. */
const guardAbouts: Readonly<Record<string, string>> = {
  list: 'records each call',
  remember: 'stores keys, approvals, steps and results, and replays known calls',
  'repeat-breaker': 'stops a model that repeats a failing call',
  cache: 'reuses earlier results',
  spill: 'stores large results and sends a preview',
  retry: 'retries transient failures',
  'rate-limit': 'limits calls per time window',
  'circuit-breaker': 'stops calling a service that is down',
  concurrency: 'limits concurrent calls',
  budget: 'limits token usage',
};

/** Says what a guard does; nothing where that is not known. */
export function guardAbout(name: string): string {
  return guardAbouts[name] ?? '';
}
