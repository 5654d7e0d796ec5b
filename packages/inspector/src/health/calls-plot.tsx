import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isDark } from '../state/theme.ts';
import { statusWords } from '../words/outcome-words.ts';
import type { Plot, PlotData } from './create-plot.ts';
import { type Column, stacked, toHeights } from './to-columns.ts';

/** Draws calls per minute by outcome as stacked columns. The table beside it says the same in numbers. */
export function CallsPlot({ columns }: { readonly columns: readonly Column[] }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const last = useRef(columns);
  last.current = columns;
  useEffect(() => {
    let isGone = false;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) plot.current?.setWidth(entry.contentRect.width);
    });
    // The library is read when this page is opened first: the list of calls does not wait for it.
    const draw = ({ createPlot }: typeof import('./create-plot.ts')): void => {
      if (isGone || place.current === null) return;
      const series = stacked.map((status) => colourOf(statusWords[status].tone));
      plot.current = createPlot(place.current, toData(last.current), { height: 220, series, line: colourOf('line'), ink: colourOf('dim') });
      observer.observe(place.current);
    };
    // Where the library cannot be read, the table beside the plot says the same.
    withSoundLanguage(() => import('./create-plot.ts')).then(draw, () => undefined);
    return () => {
      isGone = true;
      observer.disconnect();
      plot.current?.remove();
      plot.current = undefined;
    };
  }, [isDark.value]);
  useEffect(() => {
    plot.current?.setData(toData(columns));
  }, [columns]);
  return <div class="plot" ref={place} aria-hidden="true" />;
}

function toData(columns: readonly Column[]): PlotData {
  return [columns.map(({ at }) => at / 1000), ...toHeights(columns)];
}

/** The library fails where the language of the browser is unknown to `Intl`, such as `en-US@posix`: it reads another one then. */
async function withSoundLanguage<T>(load: () => Promise<T>): Promise<T> {
  try {
    Intl.getCanonicalLocales(navigator.language);
    return await load();
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
    return await load().finally(() => Reflect.deleteProperty(navigator, 'language'));
  }
}

/** Returns the colour that a custom property has now; canvases know no custom properties. */
function colourOf(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
