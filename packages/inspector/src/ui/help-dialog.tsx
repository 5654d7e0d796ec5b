import type { JSX } from 'preact';
import { serverFacts } from '../state/server-facts.ts';
import { Dialog } from './dialog.tsx';

type Shortcut = readonly [keys: readonly string[], text: string];

const shortcuts: readonly Shortcut[] = [
  [['/'], 'Search'],
  [['j', 'k'], 'Next and previous call'],
  [['enter'], 'Open the call'],
  [['esc'], 'Close'],
  [['p'], 'Pause or resume'],
  [['n'], 'Show new calls'],
  [['r'], 'Call again'],
  [['e'], 'Edit and call'],
  [['g', 'c'], 'Calls'],
  [['g', 'r'], 'Runs'],
  [['g', 't'], 'Tools'],
  [['g', 'a'], 'Approvals'],
  [['g', 'h'], 'Health'],
];
const gatewayShortcut: Shortcut = [['g', 's'], 'Servers'];
const lastShortcut: Shortcut = [['?'], 'Keyboard shortcuts'];

/** Lists the keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const shown = [...shortcuts, ...(serverFacts.value?.gateway ? [gatewayShortcut] : []), lastShortcut];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {shown.map(([keys, text]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
