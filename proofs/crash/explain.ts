import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkHistory } from './check-history.ts';
import type { History } from './run-lane.ts';

const folder = fileURLToPath(new URL('../../.cache/', import.meta.url));
const shown = 3;

/** Checks the histories of some lanes. Where a promise was broken, it keeps them all in a file and prints what became of the first calls concerned. */
export function checkAndExplain(name: string, histories: readonly History[]): string[] {
  const found = histories.map((history) => ({ history, broken: checkHistory(history) }));
  const broken = found.flatMap((one) => one.broken);
  if (broken.length === 0) return broken;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}history-${name}.json`, JSON.stringify(histories));
  const stories = found.flatMap(({ history, broken: own }) => {
    const ids = new Set(history.lives.flatMap(({ plan }) => plan.calls.map(({ id }) => id)));
    const concerned = new Set(own.flatMap((sentence) => sentence.split(' ').filter((word) => ids.has(word))));
    return [...concerned].map((id) => tellStory(history, id));
  });
  console.error(`All is in .cache/history-${name}.json. The first calls:\n\n${stories.slice(0, shown).join('\n\n')}`);
  return broken;
}

/** Lists what all processes reported about one call, in order, and what was done. */
function tellStory({ lives, ledger }: History, id: string): string {
  const lines = lives.flatMap(({ plan, told, end }) => {
    const said = told.flatMap((news): object[] => {
      if (news.type === 'resumed') return news.calls.filter((call) => call.id === id).map((call) => ({ resumed: news.runId, ...call }));
      return !('id' in news) || news.id === id ? [news] : [];
    });
    const isConcerned = plan.calls.some((call) => call.id === id) || said.some((news) => 'id' in news);
    return isConcerned ? [`${plan.runId} (ends ${end})`, ...said.map((news) => `  ${JSON.stringify(news)}`)] : [];
  });
  return [id, ...lines, ...ledger.filter((line) => line.split(' ')[1] === id).map((line) => `  done: ${line}`)].join('\n');
}
