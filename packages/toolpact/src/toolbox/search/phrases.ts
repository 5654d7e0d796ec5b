/**
 * Phrases of several words, and the words that a description uses. Words of two may have others between them: "kick Peter out".
 */
export const phrases: readonly (readonly [said: string, meant: string])[] = `
  get rid of: delete; throw away: delete; throw out: delete; take out: remove; take off: remove; take away: remove revoke;
  kick out: remove; cross off: remove complete; call off: cancel; turn on: enable start; switch on: enable start; turn off: disable stop;
  switch off: disable stop; shut down: stop shutdown delete; shut off: stop disable; set up: create configure; put up: publish create;
  put online: publish; go live: publish; take down: unpublish delete; take offline: unpublish stop; bring back: restore;
  put back: restore; give back: refund; money back: refund; pay back: refund; sign up: register create; sign in: login session;
  log in: login session; log on: login session; sign out: logout session; log out: logout session; look up: find lookup; look for: search;
  look over: review; look at: view; find out: get; how many: count; how much: amount; how long: duration time; how far: distance;
  time off: absence leave; day off: absence leave; hand over: transfer assign; let know: notify send; let in: invite access permission;
  let see: share permission access; can see: permission access; let use: permission access; let manage: portal permission;
  allow to: permission access; give access: access permission grant collaborator member; push back: reschedule; put off: reschedule;
  roll back: rollback revert restore; roll out: deploy update; write down: write create note; fill in: submit form; fill out: submit form;
  send back: return; split up: split; hang up: end call; opt out: unsubscribe; leave comment: create comment;
  leave note: create note comment; leave review: create review; not paid: unpaid open; not disturb: dnd; out of office: vacation;
  in charge: owner lead; thumbs up: reaction like; take part: participant join; showed up: attend; came to: attend;
  going on: active current; close down: close delete; on call: oncall; who is: user member; who when: audit history log activity event;
  stop sending: unsubscribe unfollow follower; stop getting: unsubscribe unfollow; make private: update visibility private;
  make public: publish update visibility; make sure: check; for good: delete; in between: between; my own:; our own:; their own:;
  right now: current; log hour: worklog time entry; smaller one: sub child; who can: permission access; take back: revoke delete undo;
  give to: assign transfer; turn into: convert; turn down: reject volume; clock in: time entry start; clock out: time entry stop;
  went wrong: error log event; working on: acknowledge progress; clean up: clear prune delete; wake up: alert page; pull up: get;
  send out: send; pass on: forward transfer; left over: remaining; run out: expire remaining; back up: backup snapshot;
  top up: fund balance add; cash out: payout withdraw; pay out: payout; try again: retry; on hold: hold pause suspend;
  carry on: resume continue; hand in: submit; hook up: connect; sum up: summary summarize; point at: assign associate record;
  mark done: complete update close; mark read: read update; in stock: inventory stock available; sold out: inventory stock; how big: size;
  how old: age; how fast: speed performance; how well: performance statistic report; close to: near nearby; check in: checkin;
  forgot password: password reset; write back: reply send; go back: rollback restore revert; go on: resume continue;
  go out: send schedule; by itself: automatic timer schedule; one go: batch bulk zip; now on: rule filter setting; came with: attachment;
  comes next: next upcoming; any more: remove delete stop; has to be: due update; keep out: ban suspend block; left us: unsubscribe;
  get into: access permission collaboration; should be able: permission access; nobody should: lock restrict;
  only people: private restrict permission; together with: invite add; tell whole: announcement broadcast;
  point to: record alias redirect; how busy: stats usage load; free slot: availability; find again: bookmark save;
  for later: bookmark save; watch together: group sync; already seen: played watched; who did: audit log event; nobody uses: unused prune;
  don want: remove mute block; sounds like: similar recommendation; ask to: request assign; gets points: grade score; has new: update;
  changed to: update; more memory: resize update resource; more space: resize storage; make copy: copy duplicate replicate;
  say about: mention search review; talking about: mention trending topic; signed up: register subscriber member;
  filled in: submission response; handed in: submission submitted; owe money: receivable invoice debt;
  owes money: receivable invoice debt; bill for: invoice
`
  .trim()
  .split(/;\s+/)
  .map((row) => row.split(/:\s*/) as [said: string, meant: string]);
