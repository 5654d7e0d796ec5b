import { takePromise } from '../../json/index.ts';

/** Whether a person has to allow a call, as frameworks let their tools say it. */
export type NeedsApproval = boolean | ((input: never, ...host: never[]) => unknown) | undefined;

/** Returns what a foreign tool says about approvals as a part of a definition; nothing where it needs none. */
export function approvalFrom(
  needs: NeedsApproval,
  ...host: readonly unknown[]
): { readonly approval?: true | ((input: unknown) => boolean) } {
  if (needs === undefined || needs === false) return {};
  return { approval: needs === true ? needs : (input) => asksFirst(needs as (...args: unknown[]) => unknown, [input, ...host]) };
}

/** Asks the tool whether a person has to allow a call. Where that takes time to find out, the person is asked. */
function asksFirst(needs: (...args: unknown[]) => unknown, args: readonly unknown[]): boolean {
  const answer = needs(...args);
  takePromise(answer);
  return typeof answer === 'boolean' ? answer : true;
}
