import type { ComponentChildren, JSX } from 'preact';
import { filters } from '../state/calls-store.ts';
import { writeFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, route, toHash } from '../state/route.ts';
import { nextTheme, theme } from '../state/theme.ts';
import { ConnectionSign } from './connection-sign.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Logo } from './logo.tsx';

interface Place {
  readonly page: string;
  readonly text: string;
  readonly icon: IconName;
  readonly key: string;
}

const places: readonly Place[] = [{ page: 'calls', text: 'Calls', icon: 'calls', key: 'g c' }];

/** The frame of every page: name, places, state of the connection, settings. */
export function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const hrefOf = (page: string): string => toHash(page, '', page === 'calls' ? writeFilters(filters.value) : '');
  useKeys(Object.fromEntries(places.map(({ page, key }) => [key, () => goTo(hrefOf(page))])));
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="bar">
        <a class="brand" href={toHash('calls')}>
          <Logo />
          <span>Toolpact</span>
        </a>
        <nav class="places" aria-label="Pages">
          {places.map(({ page, text, icon }) => (
            <a key={page} href={hrefOf(page)} aria-current={route.value.page === page ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{text}</span>
            </a>
          ))}
        </nav>
        <div class="bar-end">
          <ConnectionSign />
          <button type="button" class="quiet square" onClick={nextTheme} title={`Colours: ${theme.value}`}>
            <Icon name={({ auto: 'auto', light: 'sun', dark: 'moon' } as const)[theme.value]} />
            <span class="unseen">{`Colours: ${theme.value}`}</span>
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
