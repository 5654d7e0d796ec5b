import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { JsonValue } from 'toolpact';
import { CopyButton } from '../ui/copy-button.tsx';
import { FoldButton } from '../ui/fold-button.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { childrenOf, isOpenAtFirst, toTreeNode } from './tree-node.ts';

/** Shows JSON as a tree whose branches open and close; all of it, and each branch, can be copied. */
export function JsonTree({ value }: { readonly value: JsonValue | undefined }): JSX.Element {
  const { count, type } = toTreeNode(value);
  return (
    <div class="tree" dir="ltr">
      <ul>{count === 0 ? <Branch value={value} depth={0} /> : <Inside value={value} depth={0} />}</ul>
      <span class="tree-end">
        {count > 8 && <span class="tree-size">{`${count.toLocaleString('en')} ${type === 'array' ? 'items' : 'fields'}`}</span>}
        {count > 0 && <CopyButton text={() => JSON.stringify(value, null, 2)} what="as JSON" />}
      </span>
    </div>
  );
}

/** The values inside another, a hundred at a time. */
function Inside({ value, depth }: Omit<BranchProps, 'name'>): JSX.Element {
  const pages = useSignal(1);
  const { shown, left } = childrenOf(value, pages.value);
  return (
    <>
      {shown.map(([key, inner]) => (
        <Branch key={key} name={key} value={inner} depth={depth + 1} />
      ))}
      {left > 0 && (
        <li class="tree-line">
          <button
            type="button"
            class="tree-more"
            onClick={() => {
              pages.value++;
            }}
          >
            {`Show more: ${left.toLocaleString('en')} left`}
          </button>
        </li>
      )}
    </>
  );
}

interface BranchProps {
  readonly name?: string;
  readonly value: JsonValue | undefined;
  readonly depth: number;
}

function Branch({ name, value, depth }: BranchProps): JSX.Element {
  const isOpen = useSignal(isOpenAtFirst(value, depth));
  const isWhole = useSignal(false);
  const node = toTreeNode(value, isWhole.value);
  const label = name !== undefined && <span class="tree-name">{showHidden(name)}</span>;
  if (node.count === 0) {
    return (
      <li class="tree-line">
        {label}
        <span class={`tree-${node.type}`}>{node.type === 'array' ? '[ ]' : node.type === 'object' ? '{ }' : node.text}</span>
        {node.cut > 0 && (
          <button
            type="button"
            class="tree-more"
            onClick={() => {
              isWhole.value = true;
            }}
          >
            {`Show ${node.cut.toLocaleString('en')} more characters`}
          </button>
        )}
        <CopyButton small text={() => (typeof value === 'string' ? value : JSON.stringify(value ?? null))} what={name ?? 'value'} />
      </li>
    );
  }
  return (
    <li>
      <div class="tree-line">
        <FoldButton isOpen={isOpen}>
          {label}
          <span class="tree-size">{node.text}</span>
        </FoldButton>
        <CopyButton small text={() => JSON.stringify(value, null, 2)} what={name ?? 'all of it'} />
      </div>
      {isOpen.value && (
        <ul>
          <Inside value={value} depth={depth} />
        </ul>
      )}
    </li>
  );
}
