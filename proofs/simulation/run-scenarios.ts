import { renderHistory } from '../../packages/testing/src/simulation/history.ts';
import { loadLibrary } from '../../packages/testing/src/simulation/library.ts';
import { runScenario, type Scenario } from '../../packages/testing/src/simulation/run-scenario.ts';
import { createGraphPool } from '../../packages/testing/src/simulation/world.ts';
import { bundleLibrary } from './bundle-library.ts';
import { approvals } from './scenarios/approvals.ts';
import { cancels } from './scenarios/cancels.ts';
import { clocks } from './scenarios/clocks.ts';
import { madeAgain } from './scenarios/made-again.ts';
import { notices } from './scenarios/notices.ts';
import { stepsDoneAgain } from './scenarios/steps-done-again.ts';
import { stuckCalls } from './scenarios/stuck-calls.ts';
import { untrueAnswers } from './scenarios/untrue-answers.ts';

/** All scenarios: what outside reviews reproduced, and what seeds have found. */
export const scenarios: readonly Scenario[] = [
  ...stepsDoneAgain,
  ...approvals,
  ...cancels,
  ...stuckCalls,
  ...untrueAnswers,
  ...madeAgain,
  ...clocks,
  ...notices,
];

/** Scenarios that break a promise today, by name. One that holds must not stand here. */
export const brokenToday: readonly string[] = [];

/** Plays the scenarios whose name contains a text, or all; gives 1 where one of them breaks something. */
export async function runScenarios(name: string, isWhole: boolean): Promise<number> {
  const graphs = createGraphPool(loadLibrary(await bundleLibrary()));
  let broken = 0;
  for (const scenario of scenarios) {
    if (name !== 'all' && !scenario.name.includes(name)) continue;
    const { violations, history } = await runScenario(scenario, graphs, { isWhole });
    if (violations.length > 0) broken += 1;
    const isKnown = brokenToday.includes(scenario.name) ? ' (known)' : '';
    console.log(`${violations.length > 0 ? 'BREAKS' : 'holds '}  ${scenario.name}${isKnown}`);
    if (isWhole) console.log(renderHistory(history));
    for (const { invariant, message } of violations) console.log(`          ${invariant}: ${message}`);
  }
  return broken > 0 ? 1 : 0;
}
