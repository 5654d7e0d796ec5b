/** What `npm run truth` printed on the day named in it, with the readings that are still wrong. */
export const truthSection = `## What errors mean

\`npm run truth\` reads stored errors of real libraries and sentences that applications throw as a plain \`Error\` of their own, and prints how
often \`classify\` is right; \`-- --misses\` lists the rest. Measured on 2026-11-18:

| errors of libraries (\`test/truth/errors\`) | kind | without stacks | retryable | status | wait | worst of five folds |
|---|---|---|---|---|---|---|
| 01: 451 of 30 libraries (\`test/library-errors\`) | 100 % | 99.3 % | 100 % | 100 % | 100 % | 100 % |
| 02: 438 of 44 other libraries | 99.3 % | 95.4 % | 100 % | 100 % | 100 % | 97.8 % |
| 03: 678 of 93 libraries | 97.2 % | 89.5 % | 99.7 % | 100 % | 100 % | 95.5 % |
| 04: 412 of 48 libraries | 97.3 % | 90.8 % | 99.6 % | 100 % | 100 % | 94.6 % |
| 05: 673 of 104 libraries | 96.6 % | 90.6 % | 99.2 % | 100 % | 100 % | 94.4 % |
| 06: 715 of 73 libraries | 96.5 % | 92.2 % | 99.5 % | 100 % | 100 % | 95.5 % |
| 07: 561 of 64 libraries | 95.0 % | 89.5 % | 98.6 % | 100 % | 100 % | 88.8 % |
| 08: 276 further failures of 21 libraries above | 98.9 % | 90.6 % | 100 % | 100 % | 100 % | 97.8 % |
| 09: 153 of 23 libraries | 93.5 % | 88.2 % | 98.1 % | 100 % | 100 % | 88.2 % |
| 10: 378 of 64 libraries | 95.2 % | 78.8 % | 99.6 % | 100 % | 100 % | 91.9 % |
| 11: 369 of 68 libraries | 95.9 % | 81.3 % | 100 % | 100 % | 100 % | 94.3 % |
| 12: 64 of 22 small local libraries | 93.8 % | 82.8 % | 100 % | 100 % | – | 85.7 % |
| 13: 386 of 70 libraries, half of them services, half local | 96.6 % | 79.5 % | 100 % | 100 % | 100 % | 91.4 % |
| 14: 292 of 42 libraries, clouds, runtime modules and a native database | 97.6 % | 86.3 % | 99.1 % | 100 % | 100 % | 94.1 % |
| 15: 455 of 71 libraries, model providers, clouds, sockets, parsers and runtime modules | 97.6 % | 90.8 % | 100 % | 100 % | 100 % | 94.0 % |
| 16: 726 of 100 libraries that stand in none above, services, engines and templates, two files | 93.3 % | 83.5 % | 98.9 % | 100 % | 100 % | 86.8 % |
| 17: 907 further failures of 79 popular libraries, two files | 97.9 % | 92.3 % | 100 % | 100 % | 100 % | 96.3 % |

The rules have been made with all of them in sight since, so these numbers say how well they are remembered. What counts for a library that is in none of them is the first reading, before any
rule was made for it; the expected kinds were written down before \`classify\` was asked:

| read for the first time | with the rules made from | kind | retryable |
|---|---|---|---|
| 678 errors of 93 libraries, two halves | the first two rows | 88.4 %, 81.1 % (a dozen cases were written wrongly) | |
| 412 errors of 48 libraries | the first three rows | 89.1 % | 99.6 % |
| 482 errors of 64 libraries | the first three rows | 92.1 % | 98.5 % |
| the same 482 errors | the first four rows | 92.7 % | 98.5 % |
| 66 errors of 13 libraries | all above, and documented codes | 92.4 % | 97.6 % |
| 125 errors of 27 libraries, most of them local parsers | all above | 91.2 % | 100 % |
| 715 errors of 73 libraries, first half | all above | 91.5 % (89.2 % with 19 cases that were written wrongly, found among its misreadings) | 99.3 % |
| 561 errors of 64 libraries, second half, many of child processes | all above | 87.3 % | 96.9 % |
| the same 561 errors | all above and the first half | 87.5 % | 96.9 % |
| 276 further failures of 21 known libraries | all above, both halves | 90.2 % | 100 % |
| 116 errors of 22 libraries | all above | 91.4 % | 97.4 % |
| 37 errors of better-sqlite3, whose native code throws without a place of its own | all above | 73.0 % | 96.7 % |
| 378 errors of 64 libraries, half of them local (46 cases were written wrongly and are left out) | all above | 89.9 % | 98.5 % |
| 369 errors of 68 libraries, half of them local (35 cases left out) | all above but the 378 errors | 89.7 % | 99.2 % |
| the same 369 errors | all above | 91.6 % | 99.2 % |
| 64 errors of 22 libraries, nearly all of them local (3 cases left out) | all above | 87.5 % | 100 % |
| 386 errors of 70 libraries (46 cases left out) | all above | 92.7 % (services 96.9 %, local 88.6 %) | 100 % |
| the same 386 errors | all above, with the last rules | 94.0 % (services 96.9 %, local 91.2 %) | 100 % |
| 191 of them, of 34 libraries, kept aside | all above and the other half | 94.2 % (91.6 % before) | 100 % |
| 292 errors of 42 libraries (16 cases left out before, 20 after, because the client was never called) | all above | 88.0 % (91.7 % without DuckDB) | 98.6 % |
| 134 of them, of 22 libraries, kept aside | all above, and words that are also documented codes | 96.3 % (94.8 % before) | 100 % |
| 455 errors of 71 libraries (2 cases left out; 2 libraries were called wrongly at first and once more rightly) | all above | 94.1 % (services 95.4 %, local 92.6 %) | 100 % |
| 210 of them, of 34 libraries, kept aside | all above and the other half | 93.8 % (93.8 % before) | 100 % |
| 726 errors of 100 libraries (labelled by one person; about 45 cases left out before) | all above | 90.8 % (services 91.2 %, local 89.8 %) | 98.1 % |
| the same 726 errors | all above, with the three rules about structure below | 91.0 % | 98.1 % |
| 907 further failures of 79 popular libraries (labelled by one person; 118 that are stored already and 33 that were called wrongly left out before) | all above but the 726 | 90.2 % (services 89.8 %, local 91.2 %) | 98.7 % |
| the same 907 errors | all above, with the three rules about structure below | 90.1 % | 98.7 % |

Words learned from some libraries help others little: the first half of the 1,276 errors rose by three points, the second, kept aside meanwhile, by 0.2; of the
455, the first half rose from 94.3 to 96.3 %, the second by nothing. What
helped the libraries that came after is where an error was made: what a dependency says in words that are not known, or that it cannot read or does not support
something, is wrong input, unless it was thrown while a tool ran, whose arguments had been checked. A system error and a failed program are not.
These last rules were chosen on 4,279 errors of the sets 03 to 12, each read with a vocabulary from before its set was known: 91.4 % before, 92.2 % after.
Two places were added since: what a client of a library lacks while its constructor runs is not configured, and an error without a place that names itself in its text
("Binder Error: …") is believed. Then three rules about structure: what a dependency cannot read or does not support is wrong input also where its error has a class of its own,
unless it has a code; so is an assertion of a dependency; and a status of 500 that no answer and no text shows does not count against words that complain. Made with the sets 03 to 15 in sight, but each read
with a vocabulary from before its set was known, these three corrected 23 errors and spoiled 5: 91.9 to 92.0 % of the sets 03 to 09, 93.7 to 94.4 % of the sets 10 to 15.
With them 96.6 % of the 6,301 errors of the sets 01 to 15 were read rightly.
On the two sets that came after these rules they gained nothing (+1 of 1,633), and of 17 words that would each correct an error of their first halves, one
("already") corrected any of their second halves. So expect 90 to 94 % for a failure that has not been stored: the goal of 95 % is not reached.

What was misread in the last two sets for its shape is read since: an object in the place of a status, an answer without
headers, waits in gRPC metadata and in decoded details, moments in sentences ("Retry after 2026-11-17T21:00:38Z"), the
second number of a mail server's reply, a quota that says when to come back, and the word "already"; and "could not
start" no longer means that something is not ready. That corrected the kinds of 18 errors of these two sets and 3 of the
others and spoiled 2, and all statuses and waits that are stored are right. It says little about the next libraries:
most of these errors are of three.

Since 2026-11-18 these two sets count as seen as well: their words were learned too. 58 new phrases, new choices in eight old ones and four rules about
structure correct 95 of the 7,934 errors and spoil 4: what a program was asked to do does not count as what it said, a service that answers 500 was not sent
too much, an assertion that nobody explained is a bug of the dependency, and "already" outweighs a bare 400. Of all stored errors 96.7 % are read rightly
now (95.6 % before), of the sets 01 to 15 97.0 %. Of the 95, about 65 are owed to words that a single library uses and 18 to a phrase that would have been learned from another
library too. So set 17 shows memory, not skill: for a failure that has not been stored, expect little more than before.

Learned weights were tried four times. A linear model over stems, classes, statuses and the place of the throw, trained without the set that it was asked about,
read 95.5 and 96.2 % of the sets 10 and 11, with 4,600 features, 30 kB compressed. On the 4,279 errors, in five folds of libraries, it read 93.3 % with 1,111
words (11.7 kB), 92.4 % with 919 (5.4 kB), 92.1 % with 799 (4.3 kB) and 91.7 % with 608 (3.3 kB), where the rules read 91.4 % then; a model without words, over what the rules had found,
the place, class and status alone, read 91.1 %. The rules about the place read 92.2 % and fit into the same size, with phrases left out that no stored error needs, so no model was adopted. Of 139 further phrases that come to mind,
24 would correct an error among the 4,279, nearly all of them one. The third model learned corrections only: pairs of a feature and a kind on top of what the rules decide.
Trained without the set and the libraries that it was asked about, it read of the sets 10, 11, 13, 14 and 15 (1,880 errors) 94.3 % with a table of 0.5 kB, 95.0 % with 0.9, 95.2 % with 1.6, 94.6 % with 2.2, 95.1 % with 3.5, 94.9 % with 5.1 and 95.2 % with 7.9 kB, the code that reads it not counted,
where the rules read 94.6 %; of the newest set, 15, no table read more than the rules, so none was adopted.

The fourth model had no limit of size: 8,000 to 10,000 features (words, pairs of words, classes, codes, statuses, the place of the throw, and all that the rules find).
Trained without the set and the libraries that it was asked about, it read 93.9 % of set 16 and 91.4 % of set 17, where the rules of 2026-11-17 read 92.6 and 90.8 %. So a larger table
alone would not reach 95 %.

Of 1,404 codes, names and sentences
that 25 families document (HTTP, gRPC, errno, Node, OpenSSL, databases, queues, clouds, model providers; \`test/truth/code-families.json\`),
85.6 % are read as what they mean (78 % at first, 86.2 % before a dependency's "not supported" was read as wrong input); the words for the rest did not fit into the main entry.

| 999 sentences of 21 applications' own code | harmful advice | worst of five folds |
|---|---|---|
| made in the application's own file | 0 % (53.2 % before) | 0 % |
| without stacks, as in a bundled application | 4.4 % | 6.8 % |

Harmful is advice to change the arguments, wait, renew a credential or ask a person about a fault of the tool's own. The weight from which
words count without a stack was chosen among seven so that every fold of the applications stays under 10 %.

The twenty worst readings that remain:

| error | read as | should be |
|---|---|---|
| playwright-core: a browser that dies at its start; its options are quoted, one of them about throttling | timeout | not_configured |
| @hapi/iron: "Expired seal" under a made-up status 500 | upstream | unauthenticated |
| moleculer: "Request level is reached the limit (5)" under a made-up status 500 | upstream | too_large |
| AI SDK: "Responses API returned no output" under a made-up status 500 | upstream | bad_response |
| xAI: "used all available credits or reached its monthly spending limit" under a status 429 | rate_limited | budget_exhausted |
| fal: "User is locked. Reason: Exhausted balance." under a status 403 | forbidden | budget_exhausted |
| Shopify: "Cannot initialize Shopify API Library. Missing values for: apiSecretKey" | not_ready | not_configured |
| @kubernetes/client-node: "No active cluster!" | not_ready | not_configured |
| promisify-child-process: "Process was killed with SIGKILL" | timeout | internal |
| fast-jwt: "The payload must be an object." with the code FAST_JWT_INVALID_TYPE | unauthenticated | invalid_input |
| firebase-admin: "The password must be a string with at least 6 characters." with the code auth/invalid-password | unauthenticated | invalid_input |
| unzipper: "invalid signature: 0x6c6c6568" | unauthenticated | bad_response |
| @azure/msal-node: "invalid_client_credential" where no secret was given | unauthenticated | not_configured |
| chromadb: connection refused, followed by advice about an environment variable | not_configured | unreachable |
| node:crypto: "interrupted or cancelled" for an encrypted key without its passphrase | cancelled | not_configured |
| amqplib: "Frame size 1345270062 exceeds maxFrameSize 67108864" | too_large | bad_response |
| the engine: "Invalid regular expression", where a tool passes on a pattern that the model wrote | internal | invalid_input |
| nedb-promises: "100% of the data file is corrupt" | invalid_input | bad_response |
| mysql2: "CONSTRAINT \`city.people\` failed", a check, with the SQLSTATE 23000 of a duplicate | conflict | invalid_input |
| better-sqlite3: "Too few parameter values were provided", thrown by native code as if the tool had | internal | invalid_input |

They stand in the order of the harm: first what promises that waiting helps, then what blames a credential, then the rest.

All of 158 shapes of secrets (\`test/secrets\`) are hidden in texts, on every way out: model text, outcome, dialects, events, spans, logs,
report, HTTP and MCP answers, the file of a SQLite store and the tables of PostgreSQL. So are 60 key names alone, in pairs and in lists of headers. 205 harmless texts stay as they are.
`;
