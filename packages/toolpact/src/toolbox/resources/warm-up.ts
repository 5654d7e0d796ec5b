import type { Resource } from '../../contract/index.ts';
import { limitTime } from './limit-time.ts';

/** How far the preparation of a resource has come. What needs none is always ready. */
export interface WarmUpStatus {
  readonly type: string;
  readonly status: 'cold' | 'warming' | 'ready' | 'failed';
}

interface WarmUp {
  status: WarmUpStatus['status'];
  running: Promise<void> | undefined;
}

// Keyed by definition and not by toolbox: each resource is warmed up once per process.
const warmUps = new WeakMap<Resource, WarmUp>();

/** Prepares a resource unless that was done. All who need it at the same time wait for the same attempt; after a failure the next one tries again. */
export function warmUp(resource: Resource): Promise<void> {
  if (resource.warmUp === undefined) return Promise.resolve();
  const state = stateOf(resource);
  if (state.status === 'ready') return Promise.resolve();
  state.running ??= prepare(resource, state);
  return state.running;
}

/** Reports how far the preparation of a resource has come. */
export function warmUpStatus(resource: Resource): WarmUpStatus {
  return { type: resource.type, status: resource.warmUp === undefined ? 'ready' : stateOf(resource).status };
}

function stateOf(resource: Resource): WarmUp {
  let state = warmUps.get(resource);
  if (state === undefined) {
    state = { status: 'cold', running: undefined };
    warmUps.set(resource, state);
  }
  return state;
}

async function prepare(resource: Resource, state: WarmUp): Promise<void> {
  state.status = 'warming';
  const makeReady = (): void => {
    state.status = 'ready';
  };
  try {
    await limitTime((signal) => resource.warmUp?.({ signal }), { ms: resource.openTimeoutMs, onLate: makeReady });
    makeReady();
  } catch (thrown) {
    state.status = 'failed';
    throw thrown;
  } finally {
    state.running = undefined;
  }
}
