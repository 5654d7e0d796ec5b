import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { showHidden } from '../words/show-hidden.ts';

interface ManyChoiceProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (values: readonly string[]) => void;
}

/** More choices than this can be searched. */
const searchedFrom = 12;

/** Lets a person choose several values of a filter, in a list that opens below its button. The browser closes it by Escape and by a click elsewhere. */
export function ManyChoice({ label, values, choices, onChange }: ManyChoiceProps): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = useSignal({ top: '0px', left: '0px' });
  const isOpen = useSignal(false);
  const text = useSignal('');
  const known = [
    ...choices,
    ...values.filter((value) => !choices.some(([choice]) => choice === value)).map((value) => [value, value] as const),
  ];
  const shown = known.filter(([value, name]) => `${value} ${name}`.toLowerCase().includes(text.value.toLowerCase()));
  const [first] = values;
  const summary = values.length > 1 ? `${label}: ${values.length}` : (known.find(([value]) => value === first)?.[1] ?? '');
  return (
    <span class={`choice${first === undefined ? '' : ' choice-set'}`}>
      <button
        ref={button}
        type="button"
        class="choice-button"
        popovertarget={id}
        aria-expanded={isOpen.value}
        title={values.length > 1 ? values.join(', ') : undefined}
      >
        <span class={first === undefined ? 'sentence' : undefined}>
          {/* On a narrow list the short word has room. */}
          {first === undefined && <span class="choice-all">All </span>}
          {first === undefined ? label.toLowerCase() : showHidden(summary)}
        </span>
        <Icon name="down" size={12} />
      </button>
      <fieldset
        id={id}
        popover="auto"
        class="choices"
        aria-label={label}
        style={place.value}
        onBeforeToggle={({ newState }) => {
          const frame = button.current?.getBoundingClientRect();
          // Below its button, and within the page.
          if (newState === 'open' && frame)
            place.value = { top: `${frame.bottom + 4}px`, left: `${Math.max(8, Math.min(frame.left, innerWidth - 268))}px` };
        }}
        onToggle={({ newState }) => {
          isOpen.value = newState === 'open';
          text.value = '';
        }}
      >
        {choices.length > searchedFrom && (
          <input
            type="search"
            aria-label={`Find in ${label.toLowerCase()}`}
            placeholder="Find"
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
        )}
        <div class="choices-list">
          {shown.map(([value, name]) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={values.includes(value)}
                onChange={({ currentTarget }) =>
                  onChange(currentTarget.checked ? [...values, value] : values.filter((other) => other !== value))
                }
              />
              <span>{showHidden(name)}</span>
            </label>
          ))}
          {shown.length === 0 && <p class="section-note">No matches.</p>}
        </div>
        {first !== undefined && (
          <button type="button" onClick={() => onChange([])}>
            {`All ${label.toLowerCase()}`}
          </button>
        )}
      </fieldset>
    </span>
  );
}
