import { filters } from '../state/calls-store.ts';
import { type CallFilters, writeFilters } from '../state/filters.ts';
import { goTo, route, toHash } from '../state/route.ts';

/** Puts filters into the address; the list follows the address. An empty text or list removes a filter. */
export function setFilter(change: CallFilters): void {
  const openId = route.value.page === 'calls' ? route.value.rest : '';
  goTo(toHash('calls', openId, writeFilters({ ...filters.value, ...change })), { replace: true });
}
