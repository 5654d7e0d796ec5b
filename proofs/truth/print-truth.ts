// Prints how true the readings of `classify` are: npm run truth [-- --misses]
import {
  authorClasses,
  authorFiles,
  authorReadings,
  type JudgedCase,
  judgeCases,
  judgementColumns,
  readAuthorErrors,
  shareOfJudgements,
} from './author-errors.ts';
import { libraryFiles, readFamilyWords, readLibraryErrors, readOwnFaults } from './corpus.ts';
import { echoCosts } from './echo-cost.ts';
import { foldsOf, harmOf, percent, type Reading, readCases, readFaults, type Share, shareOf, shareOfWords } from './score.ts';

const showMisses = process.argv.includes('--misses');

console.log('What authors of tools throw in their own words');
for (const file of authorFiles) {
  const cases = readAuthorErrors(file);
  for (const reading of authorReadings) {
    const judged = await judgeCases(cases, reading);
    console.log(`\n${file}: ${cases.length} throw sites of ${new Set(cases.map(({ repo }) => repo)).size} repositories, ${reading}`);
    console.log(`  ${''.padEnd(24)}${judgementColumns.map((column) => column.padStart(14)).join('')}`);
    for (const name of [...authorClasses, 'all'] as const) {
      const inside = judged.filter(({ entry }) => name === 'all' || entry.class === name);
      if (inside.length === 0) continue;
      const cells = judgementColumns.map((column) => percent(shareOfJudgements(inside, column)).padStart(14));
      console.log(`  ${`${name} (${inside.length})`.padEnd(24)}${cells.join('')}`);
    }
    const folds = foldsOf(judged, ({ entry }) => entry.repo);
    for (const column of ['right', 'harmful'] as const)
      console.log(`  ${column} by fold of repositories ${folds.map((fold) => percent(shareOfJudgements(fold, column))).join(' · ')}`);
    if (showMisses && reading === 'effects none') printMisjudged(judged);
  }
}

console.log('\nErrors of libraries');
for (const file of libraryFiles) {
  const cases = readLibraryErrors(file);
  for (const withStacks of [true, false]) {
    const readings = readCases(cases, withStacks);
    const libraries = new Set(cases.map(({ library }) => library)).size;
    console.log(`\n${file}: ${cases.length} errors of ${libraries} libraries${withStacks ? '' : ', stacks removed'}`);
    for (const column of ['kind', 'retryable', 'status', 'retryAfter'] as const)
      console.log(`  ${column.padEnd(12)} ${counted(shareOf(readings, column))}`);
    const folds = foldsOf(readings, ({ entry }) => entry.library);
    console.log(`  kind by fold ${folds.map((fold) => percent(shareOf(fold, 'kind'))).join(' · ')}`);
    if (withStacks) printKinds(readings);
    if (withStacks && showMisses) printMisses(readings);
  }
}

const words = readFamilyWords();
const families = [...new Set(words.map(({ family }) => family))];
console.log(`\nDocumented codes, names and sentences of ${families.length} families`);
console.log(`  kind         ${counted(shareOfWords(words))}`);
for (const family of families)
  console.log(`  ${family.padEnd(12)} ${counted(shareOfWords(words.filter((word) => word.family === family)))}`);

const faults = readOwnFaults();
console.log(
  `\nFaults of an application's own code: ${faults.length} sentences of ${new Set(faults.map(({ codeBase }) => codeBase)).size} code bases`,
);
for (const withStacks of [true, false]) {
  const readings = readFaults(faults, withStacks);
  const folds = foldsOf(readings, ({ codeBase }) => codeBase).map((fold) => percent(harmOf(fold)));
  console.log(`  harmful advice${withStacks ? '' : ', stacks removed'}: ${counted(harmOf(readings))}; by fold ${folds.join(' · ')}`);
  if (showMisses)
    for (const { codeBase, sentence, failure, harmful } of readings)
      if (harmful) console.log(`    ${failure.kind.padEnd(15)} ${codeBase}: ${sentence}`);
}

console.log('\nWhat looking for the arguments of a call in a message costs, beside reading it');
for (const [call, microseconds] of echoCosts()) console.log(`  ${call.padEnd(34)}${microseconds.toFixed(1)} µs`);

function printMisjudged(judged: readonly JudgedCase[]): void {
  for (const { entry, failure, judgement } of judged) {
    if (judgement.right && !judgement.harmful && !judgement.contradicts && !judgement.deadEnd) continue;
    const marks = (['harmful', 'contradicts', 'deadEnd'] as const).filter((column) => judgement[column]);
    console.log(
      `    ${entry.id}: ${failure.kind}/${failure.recovery}, not ${entry.kinds.join(' or ')} ${marks.join(' ')} | ${JSON.stringify(entry.message).slice(0, 200)}`,
    );
  }
}

function printKinds(readings: readonly Reading[]): void {
  const kinds = [...new Set(readings.map(({ entry }) => entry.kinds[0] as string))].sort();
  const readingsOf = (kind: string) => readings.filter(({ entry }) => entry.kinds[0] === kind);
  console.log(`  by kind      ${kinds.map((kind) => `${kind} ${percent(shareOf(readingsOf(kind), 'kind'))}`).join(', ')}`);
}

function printMisses(readings: readonly Reading[]): void {
  for (const { entry, failure, kind, retryable, status, retryAfter } of readings) {
    if (kind && retryable !== false && status !== false && retryAfter !== false) continue;
    const wrong = [
      kind ? '' : `kind ${failure.kind}, not ${entry.kinds.join(' or ')}`,
      retryable === false ? `retryable ${failure.retryable}` : '',
      status === false ? `status ${failure.upstream?.status}, not ${entry.status}` : '',
      retryAfter === false ? `wait ${failure.retryAfterMs}, not ${entry.retryAfterMs}` : '',
    ];
    console.log(
      `    ${entry.library}: ${entry.id}: ${wrong.filter((text) => text !== '').join('; ')} | ${JSON.stringify(entry.error).slice(0, 260)}`,
    );
  }
}

function counted(share: Share): string {
  return share.of === 0 ? 'none' : `${percent(share)} (${share.right} of ${share.of})`;
}
