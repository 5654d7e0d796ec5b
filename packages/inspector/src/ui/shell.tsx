import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { credential, isRefused } from '../api/ask-server.ts';
import { waitingCount, waitingText } from '../state/approvals-store.ts';
import { filters } from '../state/calls-store.ts';
import { writeFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, route, toHash } from '../state/route.ts';
import { serverFacts } from '../state/server-facts.ts';
import { nextTheme, theme } from '../state/theme.ts';
import { Banner } from './banner.tsx';
import { ConnectionSign } from './connection-sign.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { Icon, type IconName } from './icon.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyWanted } from './key-wanted.tsx';
import { Logo } from './logo.tsx';

interface Place {
  readonly page: string;
  readonly text: string;
  readonly icon: IconName;
}

const places: readonly Place[] = [
  { page: 'calls', text: 'Calls', icon: 'calls' },
  { page: 'runs', text: 'Runs', icon: 'runs' },
  { page: 'tools', text: 'Tools', icon: 'tools' },
  { page: 'approvals', text: 'Approvals', icon: 'approvals' },
  { page: 'health', text: 'Health', icon: 'health' },
  { page: 'servers', text: 'Servers', icon: 'plug' },
];
const themeIcons = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

/** Only a gateway has servers behind it. */
function isOffered({ page }: Place): boolean {
  return page !== 'servers' || serverFacts.value?.gateway === true;
}

/** The frame of every page: name, places, state of the connection, settings. */
export function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const shown = useSignal<'' | 'help' | 'key'>('');
  const close = (): void => {
    shown.value = '';
  };
  const showKey = (): void => {
    shown.value = 'key';
  };
  const hrefOf = (page: string): string => toHash(page, '', page === 'calls' ? writeFilters(filters.value) : '');
  useKeys({
    ...Object.fromEntries(places.map(({ page }) => [`g ${page[0]}`, () => goTo(hrefOf(page))])),
    '?': () => {
      shown.value = 'help';
    },
  });
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="bar">
        <a class="brand" href={toHash('calls')}>
          <Logo />
          <span>Toolpact</span>
          {serverFacts.value && serverFacts.value.name !== 'toolpact' && <span class="brand-server">{serverFacts.value.name}</span>}
        </a>
        <nav class="places" aria-label="Pages">
          {places.filter(isOffered).map(({ page, text, icon }) => (
            <a key={page} href={hrefOf(page)} aria-current={route.value.page === page ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{text}</span>
              {page === 'approvals' && waitingCount.value > 0 && (
                <span class="badge">
                  {waitingCount.value > 99 ? '99+' : waitingCount.value}
                  <span class="unseen"> waiting</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <div class="bar-end">
          <ConnectionSign />
          {(credential.value !== '' || isRefused.value) && (
            <button type="button" class="quiet square" onClick={showKey} title="API key or token">
              <Icon name="key" />
              <span class="unseen">API key or token</span>
            </button>
          )}
          <button type="button" class="quiet square" onClick={nextTheme} title={`Theme: ${theme.value}`}>
            <Icon name={themeIcons[theme.value]} />
            <span class="unseen">{`Theme: ${theme.value}`}</span>
          </button>
          <button
            type="button"
            class="quiet square bar-help"
            title="Keyboard shortcuts (?)"
            onClick={() => {
              shown.value = 'help';
            }}
          >
            <Icon name="help" />
            <span class="unseen">Keyboard shortcuts</span>
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {isRefused.value && <KeyWanted onKey={showKey} />}
        {/* What is being written on the page outlives a key that has expired. */}
        <div class="kept" hidden={isRefused.value}>
          {children}
        </div>
      </main>
      <p class="unseen" role="status">
        {waitingCount.value > 0 && `${waitingText.value} ${waitingCount.value === 1 ? 'call waits' : 'calls wait'} for a person`}
      </p>
      <Banner />
      {shown.value === 'help' && <HelpDialog onClose={close} />}
      {shown.value === 'key' && <KeyDialog onClose={close} />}
    </div>
  );
}
