import { type Check, crashChecks, storeChecks, toolChecks } from '@toolpact/testing';
import { contractChecks } from '../contracts.ts';

/** All checks of one sort of subject. */
export interface CheckSuite {
  /** The ids of its checks begin with it. */
  readonly name: 'tools' | 'crashes' | 'contract' | 'store';
  /** Why it matters what the suite judges. */
  readonly why: string;
  /** Code that runs it. */
  readonly example: string;
  readonly checks: readonly Pick<Check<never>, 'id' | 'requirement' | 'level'>[];
}

/** Every check that a project can run, suite by suite. */
export const checkSuites: readonly CheckSuite[] = [
  {
    name: 'tools',
    why: 'Models and programs know a tool only by its listing and its answers.',
    example: 'expect(await checkTools(toolbox)).toEqual([]);',
    checks: toolChecks,
  },
  {
    name: 'crashes',
    why: 'Processes die right after a payment, and answers of services get lost. What the call says then decides whether somebody pays twice.',
    example: 'npx toolpact check --crash --allow-writes',
    checks: crashChecks,
  },
  {
    name: 'contract',
    why: 'Readers of a system that follows one of the five origins rely on every field.',
    example: "import { checks } from '@toolpact/origins/coded'; expect(await checkTools(toolbox, { checks })).toEqual([]);",
    checks: Object.values(contractChecks).flat(),
  },
  {
    name: 'store',
    why: 'Guards rely on the store: if it forgets, mixes up or grants something twice, a payment is made twice, or runs without its approval.',
    example: 'expect(await checkStore(() => myStore())).toEqual([]);',
    checks: storeChecks,
  },
];
