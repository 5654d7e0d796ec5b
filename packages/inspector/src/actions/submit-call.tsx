import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';

interface SubmitCallProps {
  readonly tool: string;
  /** Whether the arguments are edited, a person is asked, or the call runs. */
  readonly step: 'edit' | 'ask' | 'run';
  /** Whether a fault is injected into the call. */
  readonly breaks: boolean;
  readonly onDecline: () => void;
}

/** The end of the form that calls a tool: the button that makes the call, or the question before it. */
export function SubmitCall({ tool, step, breaks, onDecline }: SubmitCallProps): JSX.Element {
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (step === 'ask') confirm.current?.focus();
  }, [step]);
  return (
    <div class="composer-end">
      {step === 'ask' ? (
        <>
          <span class="composer-ask" role="alert">
            <Icon name="partial" size={14} />
            {`${tool} writes. Call it?`}
          </span>
          <button type="submit" class="main" ref={confirm}>
            Yes, call it
          </button>
          <button type="button" onClick={onDecline}>
            Cancel
          </button>
        </>
      ) : (
        <button type="submit" class="main" disabled={step === 'run'}>
          <Icon name={step === 'run' ? 'running' : breaks ? 'bolt' : 'play'} size={14} />
          {step === 'run' ? 'Calling…' : `Call ${tool}${breaks ? ' with this fault' : ''}`}
        </button>
      )}
    </div>
  );
}
