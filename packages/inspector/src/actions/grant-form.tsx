import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { JsonValue } from 'toolpact';
import type { Approval, GrantRequest, GrantRule } from '../api/api-shapes.ts';
import { Icon } from '../ui/icon.tsx';
import { showHidden } from '../words/show-hidden.ts';

interface GrantFormProps {
  readonly approval: Approval;
  readonly isBusy: boolean;
  readonly onApprove: (grant: GrantRequest) => void;
}

const spans: readonly (readonly [label: string, ms: number])[] = [
  ['15 minutes', 900_000],
  ['1 hour', 3_600_000],
  ['8 hours', 28_800_000],
  ['1 day', 86_400_000],
];

/** Lets a person allow further calls like one that waits, of its run, session or user: with which arguments, for how long. */
export function GrantForm({ approval, isBusy, onApprove }: GrantFormProps): JSX.Element {
  const { input, runId, sessionId, userId, tool } = approval;
  const whose = (
    [
      ['run', runId],
      ['session', sessionId],
      ['user', userId],
    ] as const
  ).filter(([, id]) => id !== undefined);
  const whom = useSignal<GrantRequest['for']>(whose[0]?.[0] ?? 'run');
  const spanMs = useSignal(3_600_000);
  const rules = useSignal<Readonly<Record<string, GrantRule>>>({});
  const put = (name: string, rule: GrantRule | undefined): void => {
    const { [name]: _, ...others } = rules.value;
    rules.value = rule === undefined ? others : { ...others, [name]: rule };
  };
  const args = Object.entries(Object(input) as Readonly<Record<string, JsonValue>>);
  return (
    <div class="decision-form">
      <p class="section-note">{`Later calls of ${showHidden(tool)} run without approval if:`}</p>
      {args.map(([name, value]) => (
        <label class="rule" key={name}>
          <span class="mono">{showHidden(name)}</span>
          <select value={kindOf(rules.value[name])} onChange={({ currentTarget }) => put(name, ruleOf(currentTarget.value, value))}>
            <option value="equal">{`is ${showHidden(JSON.stringify(value)).slice(0, 60)}`}</option>
            {typeof value === 'number' && <option value="max">is at most …</option>}
            <option value="any">is anything</option>
          </select>
          {typeof value === 'number' && kindOf(rules.value[name]) === 'max' && (
            <input
              type="number"
              aria-label={`At most, for ${name}`}
              min={value}
              defaultValue={String(value)}
              onInput={({ currentTarget }) => put(name, { max: currentTarget.valueAsNumber })}
            />
          )}
        </label>
      ))}
      <label class="rule">
        <span>same</span>
        <select
          value={whom.value}
          onChange={({ currentTarget }) => {
            whom.value = currentTarget.value as GrantRequest['for'];
          }}
        >
          {whose.map(([name, id]) => (
            <option key={name} value={name}>{`${name} (${showHidden(id ?? '')})`}</option>
          ))}
        </select>
      </label>
      <label class="rule">
        <span>for the next</span>
        <select
          value={String(spanMs.value)}
          onChange={({ currentTarget }) => {
            spanMs.value = Number(currentTarget.value);
          }}
        >
          {spans.map(([label, ms]) => (
            <option key={ms} value={String(ms)}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="main"
        disabled={isBusy || Object.values(rules.value).some(isUnfinished)}
        onClick={() => onApprove({ for: whom.value, expiresMs: spanMs.value, input: rules.value })}
      >
        <Icon name="ok" size={14} />
        Approve and allow these calls
      </button>
    </div>
  );
}

/** Checks whether a bound is not a number yet. */
function isUnfinished(rule: GrantRule): boolean {
  return typeof rule === 'object' && 'max' in rule && Number.isNaN(rule.max);
}

function kindOf(rule: GrantRule | undefined): 'equal' | 'max' | 'any' {
  if (rule === undefined) return 'equal';
  return rule === 'any' ? 'any' : 'max';
}

function ruleOf(kind: string, value: JsonValue): GrantRule | undefined {
  if (kind === 'any') return 'any';
  return kind === 'max' ? { max: value as number } : undefined;
}
