import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { apiBase } from '../api/api-base.ts';
import type { KeptTexts } from '../api/api-shapes.ts';
import { useAnswer } from '../state/use-answer.ts';
import { FoldedSection } from '../ui/folded-section.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TextBlock } from '../ui/text-block.tsx';

const labels = { curl: 'curl', client: 'TypeScript client', test: 'Vitest test', report: 'Bug report' } as const satisfies Record<
  keyof KeptTexts,
  string
>;

/** Offers a call as curl, as client code, as a test and as a bug report, with secrets redacted. */
export function ExportSection({ id }: { readonly id: string }): JSX.Element | null {
  const isOpen = useSignal(false);
  const { value, error } = useAnswer<KeptTexts>(
    isOpen.value ? `v1/calls/${encodeURIComponent(id)}/kept?base=${encodeURIComponent(apiBase(document.baseURI))}` : undefined,
  ).value;
  return (
    <FoldedSection title="Export" note="as curl, client code, a test, or a bug report" isOpen={isOpen}>
      {error && <p class="section-note">{error.status === 404 ? 'Not available on this server.' : error.message}</p>}
      {value && (
        <Tabs
          label="Formats"
          tabs={(Object.keys(labels) as (keyof KeptTexts)[]).map((name) => ({
            name,
            text: labels[name],
            show: () => <TextBlock text={value[name]} what={labels[name]} />,
          }))}
        />
      )}
    </FoldedSection>
  );
}
