/** Short descriptions of guards. Guards that are not listed are shown by name alone. */
const guardAbouts: Readonly<Record<string, string>> = {
  list: 'lists each call',
  remember: 'stores keys, approvals, steps and results, and answers a call that is known',
  'repeat-breaker': 'stops a model that repeats a call which fails',
  cache: 'answers from earlier results',
  spill: 'keeps large results and sends a part of them',
  retry: 'tries again after a failure that passes',
  'rate-limit': 'limits how many calls there are in a time',
  'circuit-breaker': 'leaves a service alone while it is down',
  concurrency: 'limits how many calls run at once',
  budget: 'limits how much calls may use up',
};

/** Says what a guard does; nothing where that is not known. */
export function guardAbout(name: string): string {
  return guardAbouts[name] ?? '';
}
