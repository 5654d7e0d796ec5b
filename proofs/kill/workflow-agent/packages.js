export { getHookByToken, getRun, resumeHook, start } from 'workflow/api';
export { getWorld } from 'workflow/runtime';

export function loadBuilder() {
  return import('@workflow/builders');
}
