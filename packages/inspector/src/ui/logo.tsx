import type { JSX } from 'preact';

/** Draws the mark of Toolpact: two hooks that hold each other. */
export function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M18.5 8.5h-5a5 5 0 0 0-5 5v1a5 5 0 0 0 5 5h2.2" />
      <path d="M13.5 23.5h5a5 5 0 0 0 5-5v-1a5 5 0 0 0-5-5h-2.2" />
    </svg>
  );
}
