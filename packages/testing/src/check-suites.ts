import { adapterChecks } from '../../../proofs/suites/adapters/adapter-checks.ts';
import { dialectChecks } from '../../../proofs/suites/dialects/dialect-checks.ts';
import { engineChecks } from '../../../proofs/suites/engines/engine-checks.ts';
import { serverChecks } from '../../../proofs/suites/server/check-server.ts';
import type { Check } from './define-check.ts';
import { storeChecks } from './stores/store-checks.ts';
import { contractChecks } from './tools/contract-checks.ts';
import { toolChecks } from './tools/tool-checks.ts';

/** All checks of one sort of subject. */
export interface CheckSuite {
  /** What the ids of its checks begin with. */
  readonly name: 'tools' | 'contract' | 'server' | 'adapter' | 'store' | 'engine' | 'dialect';
  /** Why what it judges matters. */
  readonly why: string;
  /** Code that runs it. */
  readonly example: string;
  readonly checks: readonly Pick<Check<never>, 'id' | 'requirement' | 'level'>[];
}

/** Everything that can be judged, suite by suite. */
export const checkSuites: readonly CheckSuite[] = [
  {
    name: 'tools',
    why: 'A tool is used by models and programs that know nothing of it but its listing and its answers.',
    example: 'expect(await checkTools(toolbox)).toEqual([]);',
    checks: toolChecks,
  },
  {
    name: 'contract',
    why: 'A system that keeps one of the five contracts of origin has readers that rely on every field of it.',
    example: "expect(await checkTools(toolbox, { contract: 'coded' })).toEqual([]);",
    checks: Object.values(contractChecks).flat(),
  },
  {
    name: 'server',
    why: 'Clients, gateways and browsers act on statuses and headers alone; one that is wrong is repeated, cached or shown to the wrong people.',
    example: "expect(await checkServer('http://127.0.0.1:8787')).toEqual([]);   // serve serverCaseTools() too",
    checks: serverChecks,
  },
  {
    name: 'adapter',
    why: 'What an adapter loses, the model never hears: it takes a failure for a result, or the run ends where it could have gone on.',
    example: 'expect(await checkAdapter({ name, run })).toEqual([]);',
    checks: adapterChecks,
  },
  {
    name: 'store',
    why: 'Guards build on a store: what it forgets, mixes up or grants twice is a payment made twice or an approval that was never given.',
    example: 'expect(await checkStore(() => myStore())).toEqual([]);',
    checks: storeChecks,
  },
  {
    name: 'engine',
    why: 'A call on an engine outlives its process; what the engine forgets is done twice, and what it makes up was never done.',
    example: 'expect(await checkEngine((tools) => ({ toolbox: onMyEngine(tools) }))).toEqual([]);',
    checks: engineChecks,
  },
  {
    name: 'dialect',
    why: 'Outcomes cross systems as envelopes; what an envelope loses without saying so is lost for its reader.',
    example: 'expect(await checkDialect(myDialect)).toEqual([]);',
    checks: dialectChecks,
  },
];
