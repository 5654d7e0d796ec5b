import type { JSX } from 'preact';

/** Strokes on a grid of 16. */
const paths = {
  ok: 'M3.5 8.5l3 3 6-7',
  error: 'M4.5 4.5l7 7m0-7l-7 7',
  partial: 'M8 3v6m0 3.4v.1',
  pending: 'M6 4v8m4-8v8',
  running: 'M8 2.5a5.5 5.5 0 1 1-5.2 3.7',
  calls: 'M2.5 4h11m-11 4h11m-11 4h7',
  runs: 'M3 3.5h7.5v4H3zM5.500 8.500v4H13v-4z',
  tools: 'M9.8 6.200l-6.300 6.300m9-9a3.200 3.200 0 1 1-4.600 4.200 3.200 3.200 0 0 1 4.600-4.200l-2 2',
  approvals: 'M3 8.500V3h10v10H3v-1.500m-1-1h3.500l1 1.500h3l1-1.500H14',
  health: 'M1.500 8.500h3l2-5 3 9 2-4h3',
  search: 'M7 2.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9m3.300 7.800l3.200 3.200',
  more: 'M2.500 8h1.500m3.200 0h1.500m3.200 0h1.500',
  download: 'M8 2.500v8m-3.500-3.500l3.500 3.500 3.500-3.500M3 13.500h10',
  filter: 'M2 4h12M4.500 8h7M7 12h2',
  pause: 'M5.500 3.500v9m5-9v9',
  play: 'M5 3.500l7 4.500-7 4.500z',
  up: 'M8 13V3.500M4 7.500l4-4 4 4',
  back: 'M13 8H3.500m4-4l-4 4 4 4',
  close: 'M4 4l8 8m0-8l-8 8',
  copy: 'M5.500 5.500v-3h8v8h-3m-8-5h8v8h-8z',
  again: 'M13 3v3.500H9.500M13 6.500A5.500 5.500 0 1 0 13.500 9',
  edit: 'M3 13l.700-3L10.500 3.200l2.300 2.300L6 12.300z',
  bolt: 'M9 2L4 9h4l-1 5 5-7H8z',
  stop: 'M4 4h8v8H4z',
  key: 'M9.500 6.500a3 3 0 1 1-2.200-2.900 3 3 0 0 1 1.900 3.900l4.300 4.300v1.700h-2v-1.500H10V10.500L8.600 9',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1.500V3m0 10v1.500M1.500 8H3m10 0h1.500M3.400 3.400l1 1m7.200 7.200l1 1m0-9.200l-1 1m-7.200 7.200l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 1 1 6.500 3a4.500 4.500 0 0 0 6.500 6.500z',
  auto: 'M8 2.500a5.500 5.500 0 1 1 0 11 5.500 5.500 0 0 1 0-11v11',
  help: 'M6 6a2 2 0 1 1 2.700 1.900c-.500.200-.700.600-.700 1.100v.300m0 2.400v.100',
  right: 'M6 3.500L10.500 8 6 12.500',
  down: 'M3.500 6L8 10.500 12.500 6',
  link: 'M6.500 4.500H3v8.500h8.500V9.500M9 3h4v4m0-4L7.500 8.500',
  plug: 'M5.500 2v3.500m5-3.500v3.500m-7 0h9v2.500a4.500 4.500 0 0 1-9 0zM8 12.500V15',
} as const;

export type IconName = keyof typeof paths;

/** Draws a small sign. It is hidden from screen readers: words stand beside it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
      {/* A status of a newer server has no sign of its own. */}
      <path d={paths[name] ?? paths.help} />
    </svg>
  );
}
