import type { Format, Piece, StoredCall } from './transcript.ts';

/** The results that answer no call; the others know their turn and their call. */
export interface Pairs {
  /** Results whose call is nowhere. */
  readonly orphans: ReadonlySet<Piece>;
  /** Results of calls that another result has answered, by that call. */
  readonly repeats: ReadonlyMap<Piece, StoredCall>;
  /** Answers to requests for approval that are nowhere. */
  readonly lost: ReadonlySet<Piece>;
  /** Ids that the provider's own calls hold. */
  readonly held: ReadonlySet<string>;
}

interface OpenCalls {
  readonly turn: Piece;
  readonly calls: StoredCall[];
  next: number;
}

/**
 * Finds for every result the call it answers: the first that is still open in the nearest turn before it, or, if none was made before,
 * the first one after it. Each piece is looked at a fixed number of times.
 */
export function pairResults(pieces: readonly Piece[], { idsOptional }: Pick<Format, 'idsOptional'>): Pairs {
  const open = new Map<string, OpenCalls[]>();
  const latest = new Map<string, StoredCall>();
  const turnOf = new Map<StoredCall, Piece>();
  const asked = new Map<string, readonly [StoredCall, Piece]>();
  const held = new Set(pieces.flatMap((piece) => piece.held ?? []));
  const passed = new Map<string, number>();
  const early: Piece[] = [];
  const approvals: Piece[] = [];
  const repeats = new Map<Piece, StoredCall>();

  for (const piece of pieces) {
    for (const call of piece.calls) {
      turnOf.set(call, piece);
      if (call.approvalId !== undefined) asked.set(call.approvalId, [call, piece]);
      for (const key of callKeys(call, idsOptional)) addOpen(key, call, piece);
    }
    if (piece.result === undefined) continue;
    if (piece.result.approval !== undefined) approvals.push(piece);
    else if (!held.has(piece.result.id)) placeResult(piece);
  }
  for (const piece of early) {
    const call = takeFirst(piece);
    if (call !== undefined) answer(piece, call);
  }
  const lost = new Set(approvals.filter((piece) => !approve(piece)));
  const orphans = new Set(early.filter((piece) => piece.turn === undefined && !placeRepeat(piece)));
  return { orphans, repeats, lost, held };

  function addOpen(key: string, call: StoredCall, turn: Piece): void {
    const groups = open.get(key) ?? [];
    const last = groups.at(-1);
    if (last?.turn === turn) last.calls.push(call);
    else groups.push({ turn, calls: [call], next: 0 });
    open.set(key, groups);
    latest.set(key, call);
  }

  function placeResult(piece: Piece): void {
    for (const key of resultKeys(piece, idsOptional)) {
      const call = takeNearest(key);
      if (call === undefined) continue;
      answer(piece, call);
      return;
    }
    if (!placeRepeat(piece)) early.push(piece);
  }

  function placeRepeat(piece: Piece): boolean {
    const call = latest.get(repeatKey(piece, idsOptional));
    if (call !== undefined) repeats.set(piece, call);
    return call !== undefined;
  }

  function answer(piece: Piece, call: StoredCall): void {
    call.answer = piece.result;
    piece.call = call;
    piece.turn = turnOf.get(call) as Piece;
  }

  function approve(piece: Piece): boolean {
    const { id = '', ...decision } = piece.result?.approval ?? { approved: false, reason: undefined };
    const [call, turn] = asked.get(id) ?? [];
    if (call === undefined || turn === undefined) return held.has(id);
    call.approval ??= decision;
    piece.turn = turn;
    return true;
  }

  function takeNearest(key: string): StoredCall | undefined {
    const groups = open.get(key);
    for (let group = groups?.at(-1); group !== undefined; group = groups?.at(-1)) {
      const call = nextOpen(group);
      if (call !== undefined) return call;
      groups?.pop();
    }
    return undefined;
  }

  function takeFirst(piece: Piece): StoredCall | undefined {
    for (const key of resultKeys(piece, idsOptional)) {
      const groups = open.get(key) ?? [];
      for (let at = passed.get(key) ?? 0; at < groups.length; at += 1) {
        passed.set(key, at);
        const call = nextOpen(groups[at] as OpenCalls);
        if (call !== undefined) return call;
      }
    }
    return undefined;
  }
}

function nextOpen(group: OpenCalls): StoredCall | undefined {
  while (group.next < group.calls.length) {
    const call = group.calls[group.next++];
    if (call?.answer === undefined) return call;
  }
  return undefined;
}

/** Under which keys a call waits: its id, and where ids are optional its name, with a mark whether it has an id. */
function callKeys({ id, name }: StoredCall, idsOptional: boolean): readonly string[] {
  if (!idsOptional) return [`id ${id}`];
  return id === '' ? [`any ${name}`, `bare ${name}`] : [`id ${id}`, `any ${name}`];
}

/** Under which keys a result looks for its call. One without an id belongs to a call without one, if there is such. */
function resultKeys({ result }: Piece, idsOptional: boolean): readonly string[] {
  const { id = '', name } = result ?? {};
  if (!idsOptional) return [`id ${id}`];
  return id === '' ? [`bare ${name}`, `any ${name}`] : [`id ${id}`, `bare ${name}`];
}

function repeatKey({ result }: Piece, idsOptional: boolean): string {
  const { id = '', name } = result ?? {};
  return idsOptional && id === '' ? `any ${name}` : `id ${id}`;
}
