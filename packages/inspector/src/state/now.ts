import { signal } from '@preact/signals';

/** The time, once a second. One clock for all ages on the page. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);
