import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { WireMessage } from '../api/api-shapes.ts';
import { useAnswer } from '../state/use-answer.ts';
import { FoldedSection } from '../ui/folded-section.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TextBlock } from '../ui/text-block.tsx';

/** Shows the request that made a call and its answer as they were on the wire. */
export function WireSection({ id }: { readonly id: string }): JSX.Element {
  const isOpen = useSignal(false);
  const { value, error } = useAnswer<{ readonly messages: readonly WireMessage[] }>(
    isOpen.value ? `v1/calls/${encodeURIComponent(id)}/wire` : undefined,
  ).value;
  const messages = value?.messages ?? [];
  const tabs = messages.flatMap((message, index) => {
    const number = messages.length > 1 ? ` ${index + 1}` : '';
    return [
      { name: `request${number}`, text: `Request${number}`, show: () => <TextBlock text={requestText(message)} what="the request" /> },
      { name: `answer${number}`, text: `Answer${number}`, show: () => <TextBlock text={answerText(message)} what="the answer" /> },
    ];
  });
  return (
    <FoldedSection title="On the wire" note="the request that made the call, and its answer" isOpen={isOpen}>
      {error && <p class="section-note">{error.message}</p>}
      {value !== undefined && tabs.length === 0 && (
        <p class="section-note">No messages: the call was not made over HTTP, ran in another process, or is too old.</p>
      )}
      {tabs.length > 0 && <Tabs tabs={tabs} label="Messages" />}
    </FoldedSection>
  );
}

function requestText({ request: { method, path, headers, body } }: WireMessage): string {
  return [`${method} ${path}`, ...headerLines(headers), '', body].join('\n');
}

function answerText({ answer: { status, headers, body } }: WireMessage): string {
  return [String(status), ...headerLines(headers), '', body].join('\n');
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}
