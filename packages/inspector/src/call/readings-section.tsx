import type { JSX } from 'preact';
import type { Readings, RecordedCall } from '../api/api-shapes.ts';
import { useAnswer } from '../state/use-answer.ts';
import { Section } from '../ui/section.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TextBlock } from '../ui/text-block.tsx';

/** Shows the exact text that a model reads of the outcome, in each provider's form and each dialect. */
export function ReadingsSection({ call }: { readonly call: RecordedCall }): JSX.Element | null {
  const { value } = useAnswer<Readings>(`v1/calls/${encodeURIComponent(call.id)}/readings`, call.status).value;
  const known = value?.readings ?? (call.modelText === undefined ? [] : [{ form: 'plain', label: 'Plain text', text: call.modelText }]);
  const dialects = value?.dialects ?? [];
  const views = known.map(({ form, label, text }) => ({
    name: form,
    text: label,
    show: () => <TextBlock text={text} what={`what the model read (${label})`} />,
  }));
  const inner = dialects.map(({ name, text }) => ({ name, text: name, show: () => <TextBlock text={text} what={`dialect ${name}`} /> }));
  const tabs = [
    ...views,
    ...(inner.length === 0 ? [] : [{ name: 'dialects', text: 'Dialects', show: () => <Tabs tabs={inner} label="Dialects" /> }]),
  ];
  if (tabs.length === 0) return null;
  return (
    <Section title="What the model read">
      <Tabs key={value === undefined ? 'plain' : 'all'} tabs={tabs} label="Formats" />
    </Section>
  );
}
