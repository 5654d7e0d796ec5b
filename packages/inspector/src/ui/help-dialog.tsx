import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';

const shortcuts: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['/'], 'Search'],
  [['j', 'k'], 'Next and previous call'],
  [['enter'], 'Open the call'],
  [['esc'], 'Close what is open'],
  [['p'], 'Pause or go on'],
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

/** Lists what the keys do. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
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
