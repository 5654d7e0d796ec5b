import type { Outcome, Recovery } from 'toolpact';

/** The exit codes when no call was made. */
export const exitCodes = { done: 0, cannotRun: 1, usage: 2, pending: 20, partial: 21 } as const;

/** The exit codes when a call failed: they say what a script should do next. */
export const recoveryCodes: Readonly<Record<Recovery, number>> = {
  fix_input: 10,
  wait: 11,
  verify: 12,
  reauth: 13,
  ask_user: 14,
  other_tool: 15,
  stop: 16,
  see_message: 17,
};

/** The meaning of each code, for help and docs. */
export const exitCodeTable: readonly (readonly [code: number, name: string, meaning: string])[] = [
  [exitCodes.done, 'ok', 'the call or command succeeded'],
  [exitCodes.cannotRun, '', 'a file, port or setting is wrong; or check or diff found something broken'],
  [exitCodes.usage, '', 'the command line could not be understood'],
  [recoveryCodes.fix_input, 'fix_input', 'call again with other arguments'],
  [recoveryCodes.wait, 'wait', 'the same call may work later'],
  [recoveryCodes.verify, 'verify', 'it may have taken effect: check before calling again'],
  [recoveryCodes.reauth, 'reauth', 'a credential was rejected'],
  [recoveryCodes.ask_user, 'ask_user', 'not allowed; a person has to decide'],
  [recoveryCodes.other_tool, 'other_tool', 'this tool cannot do it'],
  [recoveryCodes.stop, 'stop', 'calling again will not help'],
  [recoveryCodes.see_message, 'see_message', 'read the message: the tool says what is wrong'],
  [exitCodes.pending, 'pending', 'not finished: waits for approval, or still runs'],
  [exitCodes.partial, 'partial', 'some items worked, some failed'],
];

/** Returns the exit code of an outcome. */
export function exitCodeOf(outcome: Outcome): number {
  switch (outcome.status) {
    case 'ok':
      return exitCodes.done;
    case 'partial':
      return exitCodes.partial;
    case 'pending':
      return exitCodes.pending;
    case 'error':
      return recoveryCodes[outcome.error.recovery];
  }
}
