import { computed, effect, signal } from '@preact/signals';

const themes = ['auto', 'light', 'dark'] as const;
/** Which colours the page has; `auto` follows the system. */
export type Theme = (typeof themes)[number];

/** The chosen colours. */
export const theme = signal<Theme>(themes.find((name) => name === stored()) ?? 'auto');

const system = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});
/** Whether the page is dark now. */
export const isDark = computed(() => (theme.value === 'auto' ? isSystemDark.value : theme.value === 'dark'));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  try {
    localStorage.setItem('toolpact-theme', theme.value);
  } catch {
    // A browser that keeps nothing follows the system again after a reload.
  }
});

/** Goes on to the next choice of colours. */
export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto';
}

function stored(): string | null {
  try {
    return localStorage.getItem('toolpact-theme');
  } catch {
    return null;
  }
}
