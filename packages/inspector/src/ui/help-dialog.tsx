import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';

const shortcuts: readonly (readonly [keys: readonly string[], text: string])[] = [
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
  [['?'], 'This help'],
];

/** Lists the keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([keys, text]) => (
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
