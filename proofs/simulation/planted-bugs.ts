/** A small mistake in the library that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** Text that occurs once in the library, as the bundler writes it, and its replacement. */
  readonly from: string;
  readonly to: string;
  /** Within how many seeds it is found; or the written history that finds it, where seeds seldom draw what it takes. */
  readonly within: number | string;
}

/** The mistakes: of the ledger, of what begins, goes on with and ends calls in it, and of workers. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'the store takes the end of a run whose epoch is old',
    from: 'if (call === void 0 || ofRun(call, run) === void 0 && !replaces) return lost(call, time);',
    to: 'if (call === void 0) return lost(call, time);',
    within: 200,
  },
  {
    name: 'the store takes steps of a run whose epoch is old',
    from: 'call?.epoch === epoch && call.stage !== "ended" ? call : void 0',
    to: 'call !== void 0 && call.stage !== "ended" ? call : void 0',
    within: 200,
  },
  {
    name: 'a call that is taken keeps its epoch',
    from: 'call.epoch += 1;\n\t\tcall.runSince = time;',
    to: 'call.runSince = time;',
    within: 200,
  },
  {
    name: 'a worker is given calls whose process lives',
    from: 'process !== asker ? aliveUntil(process)',
    to: 'process !== asker ? 0',
    within: 200,
  },
  {
    // A sign of life that lasts too long is shortened by that of any other process.
    name: 'a sign of life does not last',
    from: 'processes.set(name, toWindowEnd(time, leaseMs));',
    to: 'processes.set(name, time);',
    within: 200,
  },
  {
    name: 'two calls have one key',
    from: 'const holder = key && findByKey(tenants.get(name), key.text, time);',
    to: 'const holder = void 0;',
    within: 200,
  },
  {
    name: 'two calls go on where one has ended',
    from: 'if (from.stage !== "ended" || from.epoch !== instead.epoch || from.replacedBy !== void 0) return {',
    to: 'if (from.stage !== "ended") return {',
    within: 'two people run a call again at once',
  },
  {
    name: 'a call that goes on where another has ended begins without its steps',
    from: 'if (from !== void 0) inherit(call, from, time);',
    to: 'if (from !== void 0) { freeKey(tenantOf(name), from); from.replacedBy = call.id; }',
    within: 200,
  },
  {
    name: 'who takes a call is not given its steps',
    from: 'steps: [...call.steps.values()].map((step) => toStoredStep(step, time))',
    to: 'steps: []',
    within: 200,
  },
  {
    name: 'any end replaces the one before',
    from: 'const replaces = call?.stage === "ended" && call.guessAbout === run.epoch && end.guessAbout === void 0;',
    to: 'const replaces = call?.stage === "ended";',
    within: 200,
  },
  {
    name: 'a request to stop a call is not stored',
    from: 'call.isCancelled = true;',
    to: '',
    within: 'N3a the process that was asked to stop a call is dead',
  },
  {
    name: 'an answer does not wake its call',
    from: 'if (wakes) wake(call, time);',
    to: '',
    within: 200,
  },
  {
    name: 'a denial does not end its call',
    from: 'if (end !== void 0 && keptEnd !== void 0) finish(call, end, keptEnd, time);',
    to: 'if (false) void 0;',
    within: 200,
  },
  {
    name: 'the question of a call that waits is not stored',
    from: 'addQuestions(call, wait, asks, time);\n\t\tmoveTo',
    to: 'moveTo',
    within: 200,
  },
  {
    name: 'a heartbeat gives up calls that have just begun',
    from: 'ranMs: orphanMs',
    to: 'ranMs: 0',
    within: 'the store is slow to say that a call has begun',
  },
  {
    name: 'a caller gets its answer before the end is stored',
    from: 'const answer = await write(outcome, guessAbout);',
    to: 'write(outcome, guessAbout); const answer = { ok: true, value: { is: "written" } };',
    within: 200,
  },
  {
    name: 'a key is freed although the effect of its call is not known',
    from: 'isFailure && !call.tool.steps && freesKey(call.tool, outcome.error);',
    to: 'isFailure && !call.tool.steps;',
    within: 200,
  },
  {
    name: 'the steps of a call that has ended are kept',
    from: 'keepsSteps: isFailure || guessAbout !== void 0,',
    to: 'keepsSteps: true,',
    within: 200,
  },
  {
    name: 'the steps of a call that failed are forgotten',
    from: 'keepsSteps: isFailure || guessAbout !== void 0,',
    to: 'keepsSteps: false,',
    within: 200,
  },
  {
    name: 'a caller is told that its call waits before that is stored',
    from: 'const answer = await askFor(call, store, { isNeeded: true })(put);\n\t\tif (!answer.ok) {\n\t\t\tisConcluded',
    to: 'askFor(call, store, { isNeeded: true })(put); const answer = { ok: true, value: { is: "written" } };\n\t\tif (!answer.ok) {\n\t\t\tisConcluded',
    within: 'a call goes on with what the one before it was answered',
  },
  {
    name: 'a step is recorded as begun after it ran',
    from: 'await beginStep(begunStep);\n\t\t\tend = await execute();',
    to: 'end = await execute();\n\t\t\tawait beginStep(begunStep);',
    within: 200,
  },
  {
    name: 'a step begins although another run has its call',
    from: 'if ((await insist(put, what, effect)).is === "lost") throw takenOverFailure();',
    to: 'await insist(put, what, effect);',
    within: 200,
  },
  {
    name: 'a lost run goes on under the epoch of the one that has its call',
    from: 'if ((await insist(put, what, effect)).is === "lost") throw takenOverFailure();',
    to: 'const written = await insist(put, what, effect); if (written.is === "lost") live.place.epoch = written.call?.epoch;',
    within: 200,
  },
  {
    name: 'a step begins by an answer from before its process stood still',
    from: 'since === void 0 || live.wasSilent(since);',
    to: 'since === void 0;',
    within: 200,
  },
  {
    name: 'a step under way at a crash counts as not begun',
    from: 'if (isOpen) doubtful.add(id);',
    to: 'if (isOpen) void 0;',
    within: 200,
  },
  {
    name: 'a step that failed and may have written is done again',
    from: 'const settled = isInDoubt || mayHaveWritten ?',
    to: 'const settled = isInDoubt ?',
    within: 200,
  },
  {
    name: 'a step that has ended is forgotten in the same run',
    from: 'if (earlierEnd !== void 0 && !isInDoubt && !isRunAgain && (',
    to: 'if (earlierEnd !== void 0 && !isInDoubt && !isRunAgain && earlierEnd.isEarlier && (',
    within: 'D1 a call that was approved and took effect is made again after its process died',
  },
  {
    name: 'a tool without steps runs again where its process died',
    from: 'if (call.tool.effects !== "writes") return void 0;\n\tif (call.tool.steps &&',
    to: 'return void 0;\n\tif (call.tool.steps &&',
    within: 200,
  },
  {
    name: 'who takes a call over does not look whether it was cancelled',
    from: 'if (taken.isCancelled && !registry.isOnEngine) {\n\t\t\tconst message',
    to: 'if (false) {\n\t\t\tconst message',
    within: 'N3a the process that was asked to stop a call is dead',
  },
  {
    name: 'a rerun is not asked for',
    from: 'const questions = taken !== void 0 && !(tool.hasPreview && waitsToBegin(taken)) ?',
    to: 'const questions = record.again !== void 0 ?',
    within: 200,
  },
  {
    name: 'an approved call that is run again by its id does not look at its plan again',
    from: 'taken !== void 0 && !(tool.hasPreview && waitsToBegin(taken)) ?',
    to: 'taken !== void 0 ?',
    within: 1000,
  },
  {
    name: 'a call runs before a person has answered',
    from: 'if (approval.state === "approved" || request === void 0) return take(',
    to: 'if (true) return take(',
    within: 200,
  },
  {
    name: 'a call with steps runs although nobody knows whether it was recorded',
    from: 'if (!answer.ok) return draft.wait === void 0 ? refuseUnheard(registry, call, draft, answer) : refuseUnrecorded(call, answer);',
    to: 'if (!answer.ok) return entering.next();',
    within: 200,
  },
  {
    name: 'a caller is told that a call has no effect which the store may have begun',
    from: 'steps && effects !== "none" || effects === "idempotent"',
    to: 'false',
    within: 200,
  },
  {
    name: 'a call goes on without the answers of the one before it',
    from: 'questions: stored.value?.questions ?? []',
    to: 'questions: []',
    within: 200,
  },
  {
    name: 'what was answered without having run is run when its run is resumed',
    from: 'if (taken?.isPromised === false && (',
    to: 'if (false && (',
    within: 200,
  },
  {
    // Where a call that nobody goes on with is run again although it has no steps, this is what keeps its tool from running.
    name: 'who goes on with a call that waits does not know that a process died in it',
    from: 'wasDead === true || outcome?.meta',
    to: 'wasDead === true || false && outcome?.meta',
    within: 'a call is cancelled that waits for another run because its process died',
  },
  {
    name: 'a call that an answer gave to nobody is never given back',
    from: 'else release(ownCall);',
    to: 'else void 0;',
    within: 200,
  },
  {
    name: 'a grant that was revoked counts',
    from: 'return revokedAt === void 0 && time < expiresAt && uses < mostUses;',
    to: 'return time < expiresAt && uses < mostUses;',
    within: 400,
  },
  {
    name: 'a grant counts for ever',
    from: 'return revokedAt === void 0 && time < expiresAt && uses < mostUses;',
    to: 'return revokedAt === void 0 && uses < mostUses;',
    within: 200,
  },
  {
    name: 'a use of a grant is not counted',
    from: 'grant.uses += 1;',
    to: '',
    within: 200,
  },
  {
    name: 'a grant for a run counts for every run',
    from: 'return id === void 0 ? void 0 : canonicalJson([\n\t\twhom,\n\t\tid,',
    to: 'return id === void 0 ? void 0 : canonicalJson([\n\t\twhom,\n\t\t"any",',
    within: 200,
  },
  {
    name: 'a call runs with its own arguments, and not with those that a person gave',
    from: 'const unfit = await call.useInput(edit.edited);',
    to: 'const unfit = void 0;',
    within: 200,
  },
  {
    name: 'a call runs although it would do another thing than was shown',
    from: 'if (newPlan.plan === expected) return void 0;',
    to: 'return void 0;',
    within: 200,
  },
  {
    name: 'a question is asked, and what is to be told of it is not noted',
    from: 'addNotices(question, notify, time);',
    to: '',
    within: 200,
  },
  {
    name: 'a notice that one process sends is given to others too',
    from: 'notice.attempts += 1;\n\t\t\t\tnotice.dueAt = toWindowEnd(time, leaseMs);',
    to: 'notice.attempts += 1;',
    within: 200,
  },
  {
    name: 'a notice has another id with each try',
    from: 'question.askedAt,\n\t\t\tevent\n',
    to: 'question.askedAt,\n\t\t\tevent, Math.random()\n',
    within: 200,
  },
  {
    name: 'nobody is told how a question was closed',
    from: 'notice.event = event === "asked" ? "closed" : void 0;',
    to: 'notice.event = void 0;',
    within: 200,
  },
  {
    name: 'a notice that was sent is not settled',
    from: 'const write = async () => (await askStore(() => ledger.settleNotice(taken, settled))).ok;',
    to: 'const write = async () => true;',
    within: 200,
  },
  {
    name: 'a notice that could not be sent is given up',
    from: 'if (pause === void 0 || stated?.retryable === false) return { trouble };',
    to: 'if (true) return { trouble };',
    within: 200,
  },
  {
    name: 'a worker does not send what a dead process has left',
    from: 'sendNotices: async () => outbox?.look(),',
    to: 'sendNotices: async () => void 0,',
    within: 'a process dies with a question of which nobody was told',
  },
  {
    name: 'a call is forgotten while its key counts',
    from: 'keepMs: Math.max(registry.keepMs, toStorableMs(facts.key?.countsMs ?? 0))',
    to: 'keepMs: registry.keepMs',
    within: 'a key counts for longer than calls are kept',
  },
  {
    name: 'an approved call that waits again waits for ever',
    from: 'const wakeMs = expiresAt === void 0 ? void 0 : Math.max(1, expiresAt - readAt);',
    to: 'const wakeMs = void 0;',
    within: 'a limit keeps an approved call from running',
  },
  {
    name: 'an approved rerun that was refused is not given back',
    from: 'again.set(invocationId, taken === void 0 ? { rerun } : {\n\t\t\ttaken,\n\t\t\tconclude: (outcome) => concludeRefused(taken, outcome)\n\t\t});',
    to: 'again.set(invocationId, taken === void 0 ? { rerun } : { taken });',
    within: 'a policy keeps an approved rerun from running',
  },
];
