import { ToolpactError } from 'toolpact';
import { maxTimerMs } from 'toolpact/internal';
/** Which runs of a tool, or requests to an address, a fault strikes. Without any of these it strikes all of them. */
export type FaultTarget = {
  /** The tools it is for, by name; for `fetch`, addresses that begin so. @default all */
  readonly tool?: string | readonly string[];
  /** Which runs it strikes, counted from 1 for each tool; attempts of a retry count too. */
  readonly call?: number | readonly number[];
  /** Strikes every nth run: 3 for the third, the sixth, and so on. */
  readonly every?: number;
  /** The share of runs it strikes, 0 to 1, drawn from the seed, the name of the tool and the number of its run. */
  readonly rate?: number;
};

/** Where in a run a fault strikes: before the tool starts, while it goes on unheard, or after it has done its work. */
export type FaultPhase = 'before' | 'during' | 'after';

/** Draws faults. Equal seeds draw equal faults for equal runs, in whatever order the runs of different tools come. */
export interface FaultDraw<TFault> {
  /** Counts a run and gives the fault that strikes it, if any; of several, the first. */
  readonly next: (name: string) => TFault | undefined;
}

/** Creates the draw of the faults of a plan. Throws at once for a plan that could never strike as it says. */
export function createFaultDraw<TFault extends FaultTarget>(plan: TFault | readonly TFault[], seed: number | string): FaultDraw<TFault> {
  const faults: readonly TFault[] = Array.isArray(plan) ? plan : [plan as TFault];
  for (const fault of faults) checkTarget(fault);
  const counts = new Map<string, number>();
  return {
    next(name) {
      const call = (counts.get(name) ?? 0) + 1;
      counts.set(name, call);
      return faults.find((fault, index) => strikes(fault, name, call, `${seed}\n${index}\n${name}\n${call}`));
    },
  };
}

/** Names the tools of a plan that are not among those given. */
export function unknownTargets(plan: FaultTarget | readonly FaultTarget[], names: readonly string[]): string[] {
  return [plan].flat().flatMap(({ tool = [] }: FaultTarget) => [tool].flat().filter((name) => !names.includes(name)));
}

function strikes({ tool, call, every, rate }: FaultTarget, name: string, count: number, drawn: string): boolean {
  if (tool !== undefined && ![tool].flat().some((one) => name === one || (one.includes('://') && name.startsWith(one)))) return false;
  if (call !== undefined && ![call].flat().includes(count)) return false;
  if (every !== undefined && count % every !== 0) return false;
  return rate === undefined || chanceOf(drawn) < rate;
}

function checkTarget({ call = [], every, rate }: FaultTarget): void {
  const isCount = (count: number): boolean => Number.isSafeInteger(count) && count > 0;
  if (![call].flat().every(isCount)) throw new ToolpactError('invalid_option', '`call` of a fault counts from 1', { option: 'call' });
  if (every !== undefined && !isCount(every))
    throw new ToolpactError('invalid_option', '`every` of a fault must be a whole number above 0', { option: 'every' });
  if (rate !== undefined && !(typeof rate === 'number' && rate >= 0 && rate <= 1))
    throw new ToolpactError('invalid_option', '`rate` of a fault must be between 0 and 1', { option: 'rate' });
}

/** Names the one field of a fault that says what it does. Throws where there is none, or two, or where it holds something else. */
export function checkForm(
  fault: object,
  forms: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, wanted: string]>>,
  title: string,
): string {
  const [form, ...others] = Object.keys(forms).filter((name) => Object.hasOwn(fault, name));
  if (form === undefined || others.length > 0)
    throw new ToolpactError('invalid_option', `${title} needs exactly one of ${Object.keys(forms).join(', ')}`);
  const value = (fault as Readonly<Record<string, unknown>>)[form];
  const [fits, wanted] = forms[form] ?? [() => false, ''];
  if (!fits(value)) throw new ToolpactError('invalid_option', `\`${form}\` of ${title} must be ${wanted}, not ${show(value)}`);
  return form;
}

/** Throws for an unknown field: a fault with a misspelled rate would strike every run. */
export function checkFields(fault: object, known: readonly string[], title: string): void {
  const stranger = Object.keys(fault).find((name) => ![...targetFields, ...known].includes(name));
  if (stranger !== undefined) throw new ToolpactError('invalid_option', `${title} has the unknown field "${stranger}"`);
}

/** Checks whether a timer can wait for this time; a timer with a longer time fires at once. */
export function isDelay(ms: unknown): boolean {
  return typeof ms === 'number' && ms >= 0 && ms <= maxTimerMs;
}

const targetFields = ['tool', 'call', 'every', 'rate'];

function show(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

/** Returns a number from 0 up to 1 that depends on the text alone: 53 bits, so that neighbours share nothing. */
export function chanceOf(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)) / 9_007_199_254_740_992;
}
