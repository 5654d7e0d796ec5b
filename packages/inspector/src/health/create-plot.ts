import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A plot on the page. */
export interface Plot {
  readonly setData: (data: PlotData) => void;
  readonly setWidth: (width: number) => void;
  readonly remove: () => void;
}

/** The times in seconds, and then the top edge of each series, the lowest first. */
export type PlotData = readonly (readonly number[])[];

/** How a plot looks; `series` are the colours of the series, the lowest first. */
export interface PlotLook {
  readonly height: number;
  readonly series: readonly string[];
  readonly line: string;
  readonly ink: string;
}

/** Creates a plot of stacked columns. */
export function createPlot(place: HTMLElement, data: PlotData, { height, series, line, ink }: PlotLook): Plot {
  const paths = uPlot.paths.bars?.({ size: [0.72, 40], radius: 0.12 });
  const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.1))] } },
      axes: [
        { ...axis, size: 28, space: 72, grid: { show: false }, values: (_, seconds) => seconds.map(toTime) },
        { ...axis, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000] },
      ],
      series: [
        {},
        ...series.map((colour) => ({ fill: colour, stroke: colour, width: 0, points: { show: false }, ...(paths && { paths }) })).reverse(),
      ],
    },
    toDrawn(data),
    place,
  );
  return {
    setData: (next) => plot.setData(toDrawn(next)),
    setWidth: (width) => plot.setSize({ width, height }),
    remove: () => plot.destroy(),
  };
}

const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', hourCycle: 'h23' });

function toTime(seconds: number): string {
  return times.format(seconds * 1000);
}

/** The highest comes first: each lower one is drawn over it. */
function toDrawn([times = [], ...tops]: PlotData): uPlot.AlignedData {
  return [times, ...tops.toReversed()] as uPlot.AlignedData;
}
