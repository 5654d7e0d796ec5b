import { type Check, crashChecks, storeChecks, type ToolCheck, toolChecks } from '@toolpact/testing';
import { contractChecks } from '../contracts.ts';

/** All checks of one sort of subject. */
export interface CheckSuite {
  /** The ids of its checks begin with it. */
  readonly name: 'tools' | 'contract' | 'crashes' | 'store';
  /** Why it matters what the suite judges. */
  readonly why: string;
  /** Code that runs it. */
  readonly example: string;
  /** Those that say why themselves are explained in their own words. */
  readonly checks: readonly (Pick<Check<never>, 'id' | 'requirement' | 'level'> &
    Partial<Pick<ToolCheck, 'group' | 'why' | 'fix' | 'example'>>)[];
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
    name: 'contract',
    why: 'Readers of a system that follows one of the five origins rely on every field.',
    example: "import { checks } from '@toolpact/origins/coded'; expect(await checkTools(toolbox, { checks })).toEqual([]);",
    checks: Object.values(contractChecks).flat(),
  },
  {
    name: 'crashes',
    why: 'A call is repeated by whoever did not get its answer, and what it did is then done twice.',
    example: 'expect(await checkCrashes(toolbox, { fakes: { pay: ({ invoice }) => bank.charge(invoice) } })).toEqual([]);',
    checks: crashChecks,
  },
  {
    name: 'store',
    why: 'Guards rely on the store: if it forgets, mixes up or grants something twice, a payment is made twice, or runs without its approval.',
    example: 'expect(await checkStore(() => myStore())).toEqual([]);',
    checks: storeChecks,
  },
];
