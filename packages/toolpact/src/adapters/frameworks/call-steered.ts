import type { Outcome } from '../../outcome/index.ts';
import type { HostCall } from './host-tools.ts';

/** Creates a function that recognises errors by their names, whatever else is thrown. */
export function recognise(names: readonly string[]): (thrown: unknown) => boolean {
  return (thrown) => {
    try {
      return thrown instanceof Error && names.includes(thrown.name);
    } catch {
      return false;
    }
  };
}

/**
 * Makes a call, and throws what its handler threw to steer the host. For the toolbox, its guards and its watchers such a call is no
 * failure: it is pending, and the host knows what for.
 */
export async function callSteered(
  call: (watched: HostCall) => Promise<Outcome>,
  facts: HostCall,
  isControlFlow: (thrown: unknown) => boolean,
): Promise<Outcome> {
  let steering: { readonly thrown: unknown } | undefined;
  const outcome = await call({
    ...facts,
    isControlFlow(thrown) {
      if (!isControlFlow(thrown)) return false;
      steering = { thrown };
      return true;
    },
  });
  if (steering !== undefined && outcome.status === 'pending') throw (steering as { readonly thrown: unknown }).thrown;
  return outcome;
}
