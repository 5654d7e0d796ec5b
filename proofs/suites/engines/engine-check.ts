import { type Check, defineCheck, type Problem } from '@toolpact/testing';
import { type AnyTool, type CallContext, type CallMethods, createToolbox, type Outcome, type Toolbox } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { limitCheck } from '../../../packages/testing/src/limit-check.ts';
import type { EngineCases } from './engine-cases.ts';

/** A toolbox whose calls run on an engine. */
export interface EngineToolbox extends Pick<Toolbox<readonly AnyTool[]>, 'answer'> {
  readonly with: (context: CallContext<never>) => EngineToolbox;
  readonly calls: Pick<CallMethods, 'wait' | 'settle'>;
}

/** An engine to be judged, running the tools of the suite. */
export interface EngineSubject {
  readonly toolbox: EngineToolbox;
  readonly cases: EngineCases;
}

/** The subject of an engine check. */
export interface EngineTrial extends EngineSubject {
  /** No other check uses it. */
  readonly id: string;
  readonly call: (tool: string, args?: object, context?: CallContext) => Promise<Outcome>;
  /** The same call without an engine. */
  readonly bare: (tool: string, args?: object) => Promise<Outcome>;
}

/** The definition of an engine check. */
export interface EngineCheckDefinition {
  readonly id: string;
  readonly requirement: string;
  readonly run: (trial: EngineTrial) => AsyncIterable<Problem>;
}

let trials = 0;

/** Defines a check that makes calls on the engine; what takes too long is a finding. */
export function defineEngineCheck({ id, requirement, run }: EngineCheckDefinition): Check<EngineSubject> {
  return defineCheck<EngineSubject>({
    id,
    requirement,
    level: 'must',
    run: (subject) => limitCheck(tryEngine(subject, run)),
  });
}

async function tryEngine(subject: EngineSubject, run: EngineCheckDefinition['run']): Promise<Problem[]> {
  trials += 1;
  const id = `trial-${trials}-${crypto.randomUUID()}`;
  const bareTools = subject.cases.tools.filter((tool) => planOf(tool).requires.length === 0);
  const alone = createToolbox(bareTools, { report: () => undefined });
  const found: Problem[] = [];
  const trial: EngineTrial = {
    ...subject,
    id,
    call: (name, args, context) => subject.toolbox.answer({ name, args: { id, ...args } }, context as never),
    bare: (name, args) => alone.answer({ name, args: { id, ...args } }),
  };
  for await (const problem of run(trial)) found.push(problem);
  return found;
}
