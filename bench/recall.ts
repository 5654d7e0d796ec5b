import { createDocumentIndex } from '@toolpact/origins/coded/tools';
import { collection, paraphrased, questions } from '../packages/origins/test/collection.ts';

// How often the document index of the sandbox pack finds the answer, on the judged questions of its tests: node bench/recall.ts
const index = createDocumentIndex({ path: ':memory:' });
index.add(collection.map(([id, title, text]) => ({ id, title, text })));

type Asked = readonly (readonly [question: string, answer: string])[];

function recall(asked: Asked, limit: number): string {
  const found = asked.filter(([question, answer]) => index.search(question, { limit }).some(({ id }) => id === answer)).length;
  return `${found} of ${asked.length} (${((100 * found) / asked.length).toFixed(0)} %)`;
}

const groups: Readonly<Record<string, Asked>> = {
  English: questions.filter(([, answer]) => answer.startsWith('en-')),
  Japanese: questions.filter(([, answer]) => answer.startsWith('ja-')),
  Chinese: questions.filter(([, answer]) => answer.startsWith('zh-')),
  'in other words': paraphrased,
};
console.log(`${collection.length} texts\n\n| questions | recall@5 | recall@1 |\n|---|---:|---:|`);
for (const [name, asked] of Object.entries(groups)) console.log(`| ${name} | ${recall(asked, 5)} | ${recall(asked, 1)} |`);
index.close();
