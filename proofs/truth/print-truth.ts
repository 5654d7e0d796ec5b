// Prints how true the readings of `classify` are: npm run truth [-- --misses]
import {
  authorClasses,
  authorCorpora,
  authorReadings,
  type JudgedCase,
  judgeCases,
  judgementColumns,
  readAuthorErrors,
  shareOfJudgements,
} from './author-errors.ts';
import { libraryCorpora, readFamilyWords, readLibraryErrors, readOwnFaults } from './corpus.ts';
import { echoCosts } from './echo-cost.ts';
import { type FaultReading, foldsOf, type Reading, readCases, readFaults, type Share, shareOf, shareOfWords } from './score.ts';

const showMisses = process.argv.includes('--misses');

console.log('What authors of tools throw in their own words');
for (const file of authorCorpora) {
  const cases = readAuthorErrors(file);
  for (const reading of authorReadings) {
    const judged = await judgeCases(cases, reading);
    console.log(`\n${file}: ${cases.length} throw sites of ${new Set(cases.map(({ repo }) => repo)).size} repositories, ${reading}`);
    console.log(`  ${''.padEnd(24)}${judgementColumns.map((column) => column.padStart(14)).join('')}`);
    for (const name of [...authorClasses, 'all'] as const) {
      const inside = judged.filter(({ entry }) => name === 'all' || entry.class === name);
      if (inside.length === 0) continue;
      const cells = judgementColumns.map((column) => percent(shareOfJudgements(inside, column), true).padStart(14));
      console.log(`  ${`${name} (${inside.length})`.padEnd(24)}${cells.join('')}`);
    }
    const folds = foldsOf(judged, ({ entry }) => entry.repo);
    console.log(`  right by fold of repositories   ${folds.map((fold) => percent(shareOfJudgements(fold, 'right'), true)).join(' · ')}`);
    console.log(`  harmful by fold of repositories ${folds.map((fold) => percent(shareOfJudgements(fold, 'harmful'), true)).join(' · ')}`);
    if (showMisses && reading === 'effects none') printMisjudged(judged);
  }
}

console.log('\nErrors of libraries');
for (const file of libraryCorpora) {
  const cases = readLibraryErrors(file);
  for (const withStacks of [true, false]) {
    const readings = readCases(cases, withStacks);
    const libraries = new Set(cases.map(({ library }) => library)).size;
    console.log(`\n${file}: ${cases.length} errors of ${libraries} libraries${withStacks ? '' : ', stacks removed'}`);
    for (const column of ['kind', 'retryable', 'status', 'retryAfter'] as const)
      console.log(`  ${column.padEnd(12)} ${percent(shareOf(readings, column))}`);
    console.log(
      `  kind by fold ${foldsOf(readings, ({ entry }) => entry.library)
        .map((fold) => percent(shareOf(fold, 'kind'), true))
        .join(' · ')}`,
    );
    if (withStacks) printKinds(readings);
    if (withStacks && showMisses) printMisses(readings);
  }
}

const words = readFamilyWords();
console.log(`\nDocumented codes, names and sentences of ${new Set(words.map(({ family }) => family)).size} families`);
console.log(`  kind         ${percent(shareOfWords(words))}`);
for (const family of new Set(words.map((word) => word.family)))
  console.log(`  ${family.padEnd(12)} ${percent(shareOfWords(words.filter((word) => word.family === family)))}`);

const faults = readOwnFaults();
console.log(
  `\nFaults of an application's own code: ${faults.length} sentences of ${new Set(faults.map(({ codeBase }) => codeBase)).size} code bases`,
);
for (const withStacks of [true, false]) {
  const readings = readFaults(faults, withStacks);
  const folds = foldsOf(readings, ({ codeBase }) => codeBase).map((fold) => percent(harmOf(fold), true));
  console.log(`  harmful advice${withStacks ? '' : ', stacks removed'}: ${percent(harmOf(readings))}; by fold ${folds.join(' · ')}`);
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
  const shares = kinds.map(
    (kind) =>
      `${kind} ${percent(
        shareOf(
          readings.filter(({ entry }) => entry.kinds[0] === kind),
          'kind',
        ),
        true,
      )}`,
  );
  console.log(`  by kind      ${shares.join(', ')}`);
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

function harmOf(readings: readonly FaultReading[]): Share {
  return { right: readings.filter(({ harmful }) => harmful).length, of: readings.length };
}

function percent({ right, of }: Share, short = false): string {
  const text = of === 0 ? 'none' : `${((100 * right) / of).toFixed(1)} %`;
  return short || of === 0 ? text : `${text} (${right} of ${of})`;
}
