import { expect, test } from 'vitest';
import { type AuthorClass, judgeCases, readAuthorErrors, shareOfJudgements } from './author-errors.ts';
import { libraryFiles, readFamilyWords, readLibraryErrors, readOwnFaults } from './corpus.ts';
import { foldsOf, percentOf, readCases, readFaults, shareOf, shareOfWords } from './score.ts';

/** The scores reached so far; a change may raise these, never lower them. */
const least: Readonly<Record<string, readonly [kind: number, withoutStacks: number, retryable: number, status?: number, wait?: number]>> = {
  '01-libraries-of-our-tests': [100, 99, 100],
  '02-databases-browsers-and-validators': [99, 95, 100],
  '03-runtime-modules-and-formats': [97, 89.5, 99.5],
  '04-directories-mail-and-chat': [97, 90.5, 99.5],
  '05-object-mappers-and-frameworks': [96.5, 90.5, 99],
  '06-runtime-again-and-model-providers': [96.5, 92, 99],
  '07-programs-streams-and-clouds': [95, 89, 98.5],
  '08-further-failures-of-known-libraries': [98.5, 90.5, 100],
  '09-sqlite-queues-and-formatters': [93, 88, 98],
  '10-clouds-accounts-and-local-tools': [95, 78.5, 99.5],
  '11-model-gateways-and-local-tools': [95.5, 81, 100],
  '12-small-local-libraries': [93.5, 82.5, 100],
  '13-services-and-parsers': [96.5, 79, 100],
  '14-native-databases-and-clouds': [97.5, 86, 99],
  '15-providers-sockets-and-runtime-again': [97.5, 90.5, 100],
  '16-services-engines-and-templates': [94.5, 84.5, 99],
  '17-further-failures': [97.5, 92, 100],
  '18-registries-sites-and-local-parsers': [97, 90.5, 100],
  '19-services-formats-and-state-again': [94, 73, 99],
  '20-libraries-of-all-sorts': [94.5, 70, 98, 97],
};

test('every file of library errors has its bounds', () => {
  expect(Object.keys(least)).toEqual(libraryFiles);
});

test.each(Object.entries(least))(
  'errors of libraries are read as before: %s',
  (file, [kind, withoutStacks, retryable, status = 100, wait = 100]) => {
    const cases = readLibraryErrors(file);
    const readings = readCases(cases, true);
    expect(percentOf(shareOf(readings, 'kind'))).toBeGreaterThanOrEqual(kind);
    expect(percentOf(shareOf(readings, 'retryable'))).toBeGreaterThanOrEqual(retryable);
    expect(percentOf(shareOf(readings, 'status'))).toBeGreaterThanOrEqual(status);
    expect(percentOf(shareOf(readings, 'retryAfter'))).toBeGreaterThanOrEqual(wait);
    expect(percentOf(shareOf(readCases(cases, false), 'kind'))).toBeGreaterThanOrEqual(withoutStacks);
  },
);

test('documented codes, names and sentences are read as before', () => {
  expect(percentOf(shareOfWords(readFamilyWords()))).toBeGreaterThanOrEqual(97);
});

test('no fault of an application blames the model, and without stacks at most one in twenty does', () => {
  const faults = readOwnFaults();
  expect(readFaults(faults, true).filter(({ harmful }) => harmful)).toEqual([]);
  expect(readFaults(faults, false).filter(({ harmful }) => harmful).length).toBeLessThanOrEqual(faults.length / 20);
});

/** Of errors that authors throw in their own words: how many are read rightly at least, and how many send the reader the wrong way at most. */
const authorBounds: Record<
  string,
  Partial<Record<AuthorClass | 'all', readonly [right: number, harmful: number, deadEnd: number, contradicts: number]>>
> = {
  authors: {
    'deliberate-to-model': [84, 0.3, 0.4, 0.5],
    'deliberate-to-operator': [80.5, 0, 0, 0.9],
    'upstream-wrapped': [80.5, 2.6, 0, 1.9],
    bug: [96.5, 1.1, 0, 0],
    all: [83.9, 0.9, 0.2, 0.8],
  },
  bugs: { bug: [94.9, 1.5, 0, 0] },
};

/** The same bounds for every fold of the repositories. */
const foldBounds: Record<string, readonly [right: number, harmful: number]> = {
  authors: [78, 1.7],
  bugs: [93, 2.8],
};

test.each(['authors', 'bugs'])('what authors throw in their own words is read as before: %s', async (file) => {
  const judged = await judgeCases(readAuthorErrors(file), 'effects none');
  for (const [name, [right, ...most]] of Object.entries(authorBounds[file] ?? {})) {
    const inside = judged.filter(({ entry }) => name === 'all' || entry.class === name);
    expect(percentOf(shareOfJudgements(inside, 'right')), name).toBeGreaterThanOrEqual(right);
    for (const [at, column] of (['harmful', 'deadEnd', 'contradicts'] as const).entries())
      expect(percentOf(shareOfJudgements(inside, column)), `${name} ${column}`).toBeLessThanOrEqual(most[at] as number);
  }
  // No fold of repositories is far below the rest.
  const [right, harmful] = foldBounds[file] as (typeof foldBounds)[string];
  for (const fold of foldsOf(judged, ({ entry }) => entry.repo)) {
    expect(percentOf(shareOfJudgements(fold, 'right'))).toBeGreaterThanOrEqual(right);
    expect(percentOf(shareOfJudgements(fold, 'harmful'))).toBeLessThanOrEqual(harmful);
  }
});
