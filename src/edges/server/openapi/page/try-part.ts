import type { Description, Operation } from './description.ts';
import { curlOf, make, pretty, secret } from './make.ts';

interface Pending {
  readonly handle?: string;
  readonly reason?: string;
}

/** Makes the part of a tool that makes a call, shows its answer, and offers what can be done next. */
export function tryPart(spec: Description, path: string, operation: Operation, text: string): readonly HTMLElement[] {
  const id = operation.operationId;
  const editor = make('textarea', { id: `${id}-body`, value: text, spellcheck: false, rows: Math.min(14, text.split('\n').length + 1) });
  const key = make('input', { id: `${id}-key`, placeholder: 'none', autocomplete: 'off' });
  const dialect = make(
    'select',
    { id: `${id}-dialect` },
    ...spec.components.parameters.Dialect.schema.enum.map((name) => make('option', { textContent: name, value: name })),
  );
  const send = make('button', { type: 'submit', textContent: 'Send' });
  const stop = make('button', { type: 'button', textContent: 'Stop', className: 'quiet', hidden: true });
  const result = make('div', { className: 'result', ariaLive: 'polite' });
  const curl = make('pre', { className: 'curl', textContent: curlOf(path, text), tabIndex: 0 });
  const copy = make('button', { type: 'button', className: 'quiet copy', textContent: 'Copy' });
  let leaving: AbortController | undefined;
  editor.addEventListener('input', () => {
    curl.textContent = curlOf(path, editor.value);
  });
  const copyCurl = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(curl.textContent ?? '');
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Select it instead';
    }
  };
  copy.addEventListener('click', () => void copyCurl());
  stop.addEventListener('click', () => leaving?.abort());
  const form = make(
    'form',
    { className: 'try' },
    make('label', { htmlFor: editor.id, textContent: 'Arguments' }),
    editor,
    make(
      'div',
      { className: 'row' },
      make('div', {}, make('label', { htmlFor: key.id, textContent: 'Idempotency-Key' }), key),
      make('div', {}, make('label', { htmlFor: dialect.id, textContent: 'Dialect' }), dialect),
      make('div', { className: 'buttons' }, send, stop),
    ),
    result,
  );
  async function ask(address: string, options: RequestInit): Promise<boolean> {
    leaving = new AbortController();
    send.disabled = true;
    stop.hidden = false;
    result.replaceChildren(make('p', { className: 'about', textContent: 'Waiting…' }));
    const begun = performance.now();
    try {
      const response = await fetch(address, { ...options, signal: leaving.signal });
      const answer = await response.text();
      const took = Math.round(performance.now() - begun);
      const facts = ['x-trace-id', 'retry-after', 'idempotency-replayed'].flatMap((name) =>
        response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
      );
      const mark = make('strong', {
        className: response.status === 202 ? 'waits' : response.status < 300 ? 'good' : 'bad',
        textContent: `${response.status} ${response.statusText}`,
      });
      let read: { readonly pending?: Pending } | undefined;
      try {
        read = JSON.parse(answer) as { readonly pending?: Pending };
      } catch {
        // Shown as it came.
      }
      result.replaceChildren(
        make('p', {}, mark, ` in ${took} ms`, make('span', { className: 'about', textContent: facts.join(' · ') })),
        make('pre', { textContent: read === undefined ? answer : pretty(read), tabIndex: 0 }),
        ...nextSteps(read?.pending),
      );
      return response.ok;
    } catch (error) {
      result.replaceChildren(
        make('p', {
          className: 'problem',
          textContent: (error as Error).name === 'AbortError' ? 'Stopped.' : 'The server cannot be reached.',
        }),
      );
      return false;
    } finally {
      send.disabled = false;
      stop.hidden = true;
    }
  }
  function call(): Promise<boolean> | undefined {
    try {
      JSON.parse(editor.value.trim() || '{}');
    } catch (error) {
      result.replaceChildren(make('p', { className: 'problem', textContent: `The arguments are not JSON: ${(error as Error).message}` }));
      return undefined;
    }
    const headers = { 'content-type': 'application/json', ...secret(), ...(key.value.trim() && { 'idempotency-key': key.value.trim() }) };
    return ask(`${path.slice(1)}?dialect=${dialect.value}`, { method: 'POST', headers, body: editor.value.trim() || '{}' });
  }
  function nextSteps(pending: Pending | undefined): readonly HTMLElement[] {
    const route = pending?.reason === 'approval' ? 'v1/approvals/' : 'v1/pending/';
    if (typeof pending?.handle !== 'string' || spec.paths[`/${route}{handle}`] === undefined) return [];
    const address = route + encodeURIComponent(pending.handle);
    const headers = { 'content-type': 'application/json', ...secret() };
    const decide = async (decision: string) =>
      (await ask(address, { method: 'POST', headers, body: JSON.stringify({ decision }) })) && call();
    const steps: Readonly<Record<string, () => unknown>> =
      pending.reason === 'approval'
        ? { 'Approve, and call again': () => decide('approve'), 'Deny, and call again': () => decide('deny') }
        : { 'Ask again': () => ask(address, { headers }) };
    return [
      make(
        'div',
        { className: 'buttons next' },
        ...Object.entries(steps).map(([title, step]) => {
          const button = make('button', { type: 'button', className: 'quiet', textContent: title });
          button.addEventListener('click', step);
          return button;
        }),
      ),
    ];
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void call();
  });
  return [make('div', { className: 'line' }, curl, copy), make('details', {}, make('summary', { textContent: 'Try it' }), form)];
}
