import type { JSX } from 'preact';

/** Says what went wrong with something that a person did on the page; shows nothing while the text is empty. */
export function Problem({ text }: { readonly text: string }): JSX.Element | false {
  return (
    text !== '' && (
      <p class="problem" role="alert">
        {text}
      </p>
    )
  );
}
