import { createSafeFetch, fromJsonSchema, type SafeFetchOptions } from '@toolpact/openapi';
import { classify, defineTool, partial } from 'toolpact';
import { maxTimerMs, refuseOptions } from 'toolpact/internal';
import { type CodedToolData, codedToolData } from '../../coded-tool-data.ts';
import { failedOf, tell, withData } from '../fail-all.ts';
import { mapLimited, type Settled } from '../map-limited.ts';
import { type Page, readPage } from './read-page.ts';
import { createRobotsCheck } from './robots-rules.ts';
import { type ModelEndpoint, summarizePages } from './summarize-pages.ts';

/** How pages are visited. */
export interface VisitOptions extends SafeFetchOptions {
  /** The name that sites see, and find in their robots.txt. @default toolpact-sandbox */
  readonly userAgent?: string | undefined;
  /** Whether robots.txt files are kept to. @default true */
  readonly robots?: boolean | undefined;
  /** How much text of one page is given at most; several pages share 200,000 characters. @default 50_000 */
  readonly maxChars?: number | undefined;
  /** Decides when a robots.txt is asked for again. @default Date.now */
  readonly now?: (() => number) | undefined;
}

type VisitInput = {
  readonly urls: string | readonly string[];
  readonly goal?: string;
};

const url = { type: 'string', minLength: 1, maxLength: 4_096 };
const input = fromJsonSchema<VisitInput>({
  type: 'object',
  properties: {
    urls: {
      anyOf: [url, { type: 'array', items: url, minItems: 1, maxItems: 10 }],
      description: 'The address of a page, or a list of up to ten.',
    },
    goal: { type: 'string', maxLength: 2_000, default: '', description: 'What you want to know from the pages.' },
  },
  required: ['urls'],
  additionalProperties: false,
});

const atOnce = 5;
/** The limit of characters for all pages of a call together, so that the answer is never cut at a random place. */
const maxCharsInAll = 200_000;
const maxRobots = 2_000_000;
/** Kept back for answering, so that pages that were read are not lost to one that hangs or to a slow model. */
const marginMs = 500;

/** Defines `visit`: fetches pages, gives their readable text, and, where a model is at hand, what they say towards a goal. */
export function visitTool(options: VisitOptions = {}, model?: ModelEndpoint) {
  refuseOptions<VisitOptions>('visit', options, {
    robots: true,
    maxChars: true,
    now: true,
    lookup: true,
    maxRedirects: true,
    maxBytes: true,
    timeoutMs: true,
    userAgent: true,
    allowHosts: true,
    ports: true,
  });
  refuseOptions<ModelEndpoint>('createSandbox: model', model, {
    baseUrl: true,
    model: true,
    apiKey: true,
    timeoutMs: true,
    maxChars: true,
  });
  const { robots = true, maxChars = 50_000, now = Date.now, ...fetching } = options;
  const { userAgent = 'toolpact-sandbox' } = fetching;
  const fetch = createSafeFetch({ ...fetching, userAgent });
  // How large a page may be says nothing about a robots.txt: one that is not read would close its site.
  const fetchRobots = createSafeFetch({ ...fetching, userAgent, maxBytes: maxRobots });
  const beforeHop = robots ? createRobotsCheck({ fetch: fetchRobots, userAgent, now }) : undefined;
  return defineTool({
    name: 'visit',
    description:
      'Reads web pages and gives their text. Works for HTML, plain text, JSON and XML; not for PDF files or pages that need a login.',
    input,
    output: fromJsonSchema<CodedToolData['visit']>(codedToolData.visit),
    effects: 'none',
    // Bounded by `maxCharsInAll`, at a place that makes sense.
    maxResultChars: 1_000_000,
    failures: { crawling_error: 'bad_response', invalid_url_format: 'invalid_input', summarization_error: 'upstream' },
    timeoutMs: 45_000,
    examples: [{ input: { urls: ['https://example.com/'], goal: 'Who runs this site?' } }],
    toModel: ({ result, warning }) => (warning === undefined ? result : `${warning}\n\n${result}`),
    async run({ urls, goal = '' }, ctx) {
      const asked = [...new Set([urls].flat())];
      const within = (ms: number): AbortSignal => {
        const time = Math.max(1, Math.floor(Math.min(ms, ctx.remainingMs - marginMs)));
        return AbortSignal.any([ctx.signal, AbortSignal.timeout(time)]);
      };
      const signal = within(maxTimerMs);
      const settled = await mapLimited(asked, atOnce, (one) => readPage(one, fetch, { signal, beforeHop }));
      // A caller that has gone wants no part of an answer.
      ctx.signal.throwIfAborted();
      const pages = settled.flatMap((item) => (item.ok ? [{ url: asked[item.index] ?? '', page: item.value }] : []));
      const failed = failedOf(settled);
      const share = Math.min(maxChars, Math.floor(maxCharsInAll / pages.length));
      const text = pages.map(({ page }) => toText(page, share)).join('\n\n---\n\n');
      const data = (result: string): CodedToolData['visit'] => ({
        ...{ result, urls: pages.map((one) => one.url), goal },
        ...(failed.length > 0 && { warning: warningOf(failed, asked) }),
      });
      if (pages.length === 0) throw withData(worstOf(failed), { ...data(''), urls: asked }, failed);
      const answer = (result: string) => (failed.length === 0 ? data(result) : partial(data(result), failed, { total: asked.length }));
      if (goal.trim() === '' || model === undefined) return answer(text);
      try {
        const material = pages.map(({ page }) => ({ url: page.url, text: page.text }));
        return answer(await summarizePages(material, goal, model, within(model.timeoutMs ?? 20_000)));
      } catch (thrown) {
        throw withData(thrown, { ...data(text) }, failed);
      }
    },
  });
}

/** Chooses the failure that represents all failed pages: one that is not retryable if there is one, and a misspelled URL only if there is no other. */
function worstOf(failed: readonly Extract<Settled<never>, { ok: false }>[]): unknown {
  const stuck = failed.filter(({ error }) => !classify(error).retryable);
  const beyondSpelling = stuck.find(({ error }) => classify(error).code !== 'invalid_url_format');
  return (beyondSpelling ?? stuck[0] ?? failed[0])?.error;
}

function warningOf(failed: readonly Extract<Settled<unknown>, { ok: false }>[], asked: readonly string[]): string {
  const reasons = failed.map(({ index, error }) => `${asked[index]?.slice(0, 200).toWellFormed()}: ${tell(error)}`);
  return `${failed.length}/${asked.length} URLs failed\n${reasons.join('\n')}`;
}

function toText({ url: address, title, text }: Page, maxChars: number): string {
  const shown =
    text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}\n[cut after ${maxChars} of ${text.length} characters]` : text;
  return `${title === '' ? '' : `# ${title}\n`}${address}\n\n${shown}`;
}
