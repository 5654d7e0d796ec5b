import type { RecordDraft, Store, StoredRecord } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test } from 'vitest';
import { checkStore } from './check-store.ts';
import { storeChecks } from './store-checks.ts';

let time = 1_000_000;
const now = () => time;
const wait = async (ms: number) => {
  time += ms;
};

type Break = (store: Store) => Partial<Store>;

/** A way to open one store again and again, each time broken in the same way. */
function opener(spoil: Break = () => ({}), isDurable = false): () => Promise<Store> {
  let kept = memoryStore({ now });
  return async () => {
    if (!isDurable) kept = memoryStore({ now });
    const whole = isDurable ? withoutEnd(kept) : kept;
    return { ...whole, ...spoil(whole) };
  };
}

/** Keeps what it holds when it is closed, as a file would. */
function withoutEnd(store: Store): Store {
  let isClosed = false;
  const whileOpen =
    <TWords extends unknown[], T>(call: (...words: TWords) => Promise<T>) =>
    async (...words: TWords): Promise<T> => {
      if (isClosed) throw new Error('The store is closed.');
      return call(...words);
    };
  return {
    name: 'lasting',
    durable: true,
    get: whileOpen(store.get),
    put: whileOpen(store.put),
    remove: whileOpen(store.remove),
    add: whileOpen(store.add),
    sweep: whileOpen(store.sweep),
    close: async () => {
      isClosed = true;
    },
  };
}

test.each([
  ['that forgets', false],
  ['that lasts', true],
])('a sound store %s keeps every promise', async (_, isDurable) => {
  expect(await checkStore(opener(undefined, isDurable), { now, wait })).toEqual([]);
});

test('time passes by itself unless stated otherwise', async () => {
  expect(await checkStore(() => memoryStore())).toEqual([]);
});

const ignoringExpiry: Break = (store) => {
  const forever = ({ keepMs: _, ...draft }: RecordDraft) => draft;
  return { put: (draft, expect) => store.put(forever(draft), expect) };
};

/** Changes every record on its way out. */
const givingBack =
  (change: (record: StoredRecord) => StoredRecord): Break =>
  (store) => ({
    get: async (at) => {
      const record = await store.get(at);
      return record && change(record);
    },
  });

/** Takes keys, tenants and spaces for others. */
const naming =
  (change: (text: string) => string): Break =>
  (store) => {
    const rename = <T extends { space: string; tenant: string; key?: string }>(at: T): T => ({
      ...at,
      space: change(at.space),
      tenant: change(at.tenant),
      ...(at.key !== undefined && { key: change(at.key) }),
    });
    return {
      get: (at) => store.get(rename(at)),
      put: (draft, expect) => store.put(rename(draft), expect),
      remove: (at, expect) => store.remove(rename(at), expect),
      add: (at, amount, windowMs) => store.add(rename(at), amount, windowMs),
    };
  };

/** For each check, stores that break what it requires and, as far as possible, nothing else. */
const broken: Readonly<Record<string, readonly (readonly [title: string, spoil: Break, message: RegExp, isDurable?: boolean])[]>> = {
  'store/reads-what-was-written': [
    [
      'finds what is not there',
      (store) => ({ get: async (at) => (await store.get(at)) ?? { ...at, value: 1, version: 1 } }),
      /that was never written/,
    ],
    ['drops when it expires', givingBack(({ leftMs: _, ...record }) => record), /does not give back what was written/],
    ['counts from zero', givingBack((record) => ({ ...record, version: record.version - 1 })), /does not give back/],
    [
      'merges',
      (store) => ({
        put: async (draft, expected) => store.put({ keepMs: (await store.get(draft))?.leftMs, ...draft }, expected),
      }),
      /does not replace the whole record/,
    ],
    ['throws', () => ({ get: () => Promise.reject(new Error('not today')) }), /it threw instead of answering: Error: not today/],
  ],
  'store/expects-versions': [
    ['always writes', (store) => ({ put: (draft) => store.put(draft) }), /writes over a version that does not exist/],
    [
      'never says what is there',
      (store) => ({ put: async (...words) => ({ ...(await store.put(...words)), current: undefined }) }),
      /answered wrongly/,
    ],
    [
      'writes and says it did not',
      (store) => ({
        put: async (draft, expected) => {
          const current = await store.get(draft);
          const result = await store.put(draft);
          return (current?.version ?? 0) === (expected ?? current?.version ?? 0) ? result : { ok: false, current };
        },
      }),
      /something else is stored/,
    ],
  ],
  'store/one-winner': [
    [
      'looks before it writes',
      (store) => ({
        put: async (draft, expected) => {
          const current = await store.get(draft);
          if (expected !== undefined && (current?.version ?? 0) !== expected) return { ok: false, current };
          return store.put(draft);
        },
      }),
      /40 of 40 writers that expect 0 succeed/,
    ],
    [
      'locks only in its own process',
      (store) => {
        let turn = Promise.resolve<unknown>(undefined);
        return {
          put: (draft, expected) => {
            const result = turn.then(async () => {
              const current = await store.get(draft);
              await new Promise((resolve) => setImmediate(resolve));
              if (expected !== undefined && (current?.version ?? 0) !== expected) return { ok: false as const, current };
              return store.put(draft);
            });
            turn = result;
            return result;
          },
        };
      },
      /2 of 40 writers that expect 0 succeed/,
      true,
    ],
    [
      'decides for all that come together as for the first',
      (store) => {
        let [first, turn]: [Promise<boolean> | undefined, string] = [undefined, ''];
        return {
          put: async (draft, expected) => {
            if (draft.key === turn || !draft.key.startsWith('one of many')) return store.put(draft, expected);
            if (first && (await first)) return store.put(draft);
            turn = draft.key;
            const result = (async () => store.put(draft, expected))();
            first = result.then(({ ok }) => ok);
            setImmediate(() => {
              first = undefined;
            });
            return result;
          },
        };
      },
      /writers for 20 records succeed/,
    ],
    [
      'tells losers something else',
      (store) => ({
        put: async (...words) => {
          const result = await store.put(...words);
          return result.ok || !result.current ? result : { ok: false, current: { ...result.current, version: 9 } };
        },
      }),
      /a loser does not get the record of the winner/,
    ],
  ],
  'store/expires': [
    ['ignores expiry', ignoringExpiry, /an expired record is still read/],
    [
      'expires at once',
      (store) => ({ put: (draft, expected) => store.put({ ...draft, ...(draft.keepMs && { keepMs: 0 }) }, expected) }),
      /gone before it expires/,
    ],
    [
      'hides the expired only from readers',
      (store) => {
        const whole = ignoringExpiry(store);
        const ends = new Map<string, number | undefined>();
        return {
          put: async (draft, expected) => {
            const result = await (whole.put ?? store.put)(draft, expected);
            if (result.ok) ends.set(draft.key, draft.keepMs && now() + draft.keepMs);
            return result;
          },
          get: async (at) => ((ends.get(at.key) ?? Number.POSITIVE_INFINITY) <= now() ? undefined : store.get(at)),
        };
      },
      /an expired record still has a version/,
    ],
  ],
  'store/starts-anew': [
    [
      'goes on counting',
      (store) => {
        let writes = 0;
        return {
          put: async (...words) => {
            const result = await store.put(...words);
            writes += 1;
            return result.ok ? { ok: true, version: writes } : result;
          },
        };
      },
      /written again after it was removed is not version 1/,
    ],
  ],
  'store/removes': [
    [
      'always says it did',
      (store) => ({ remove: async (...words) => (await store.remove(...words)) || true }),
      /claims to remove what is not there/,
    ],
    ['does nothing', () => ({ remove: async () => false }), /does not remove a record/],
    ['ignores what is expected', (store) => ({ remove: (at) => store.remove(at) }), /removes another version than expected/],
    [
      'looks before it removes',
      (store) => ({
        remove: async (at, expected) => {
          const record = await store.get(at);
          if (!record || (expected !== undefined && expected !== record.version)) return false;
          await store.remove(at);
          return true;
        },
      }),
      /not exactly one of many/,
    ],
  ],
  'store/keeps-apart': [
    ['joins names', naming((text) => text.toLowerCase()), /a record is in the way of another/],
    [
      'forgets the tenant when counting',
      (store) => ({ add: (at, ...words) => store.add({ ...at, tenant: '' }, ...words) }),
      /a counter counts for another/,
    ],
  ],
  'store/counts': [
    [
      'reads, then writes',
      (store) => {
        const counts = new Map<string, number>();
        return {
          add: async (at, amount, windowMs) => {
            const count = counts.get(at.tenant + at.key) ?? 0;
            await Promise.resolve();
            counts.set(at.tenant + at.key, count + amount);
            return { count: count + amount, leftMs: (await store.add(at, 0, windowMs)).leftMs };
          },
        };
      },
      /additions get lost/,
    ],
    [
      'takes whole numbers only',
      (store) => ({ add: (at, amount, windowMs) => store.add(at, Math.trunc(amount), windowMs) }),
      /adding 0.5 gives 50/,
    ],
    [
      'keeps counters as records',
      (store) => ({
        add: async (at, amount, windowMs) => {
          await store.put({ ...at, value: amount });
          return store.add(at, amount, windowMs);
        },
      }),
      /in each other’s way/,
    ],
  ],
  'store/counts-in-windows': [
    [
      'never ends a window',
      (store) => ({ add: (at, amount) => store.add(at, amount, 60_000) }),
      /does not end when it should|goes on after its window/,
    ],
    [
      'takes seconds for milliseconds',
      (store) => ({ add: (at, amount, windowMs) => store.add(at, amount, windowMs * 1000) }),
      /does not end when it should/,
    ],
    [
      'moves the window',
      (store) => ({ add: async (at, amount, windowMs) => ({ ...(await store.add(at, amount, windowMs)), leftMs: windowMs }) }),
      /moves the end of its window/,
    ],
    [
      'slides',
      (store) => ({ add: async (at, amount) => ({ ...(await store.add(at, amount, 1)), leftMs: 60_000 }) }),
      /forgets within its window/,
    ],
  ],
  'store/any-text': [
    ['ends text at NUL', naming((text) => text.replace(/\0.*/s, '')), /NUL is taken for something else/],
    ['writes well-formed text', naming((text) => text.toWellFormed()), /the half of another is taken for something else/],
    ['composes letters', naming((text) => text.normalize('NFC')), /a letter and its accent is taken for something else/],
    ['cuts long keys', naming((text) => text.slice(0, 100_000)), /another megabyte is taken for something else/],
    ['unescapes', naming((text) => text.replaceAll('\\u0000', '\0')), /NUL as an escape is taken for something else/],
    ['changes text on its way out', givingBack((record) => ({ ...record, key: record.key.trim() })), /is not given back as it was/],
  ],
  'store/any-value': [
    [
      'drops __proto__',
      givingBack((record) => ({
        ...record,
        value: JSON.parse(JSON.stringify(record.value), (key, value) => (key === '__proto__' ? undefined : value)),
      })),
      /a key __proto__ is not given back/,
    ],
    [
      'sorts keys',
      givingBack(({ value, ...record }) => ({ ...record, value: sortKeys(value) })),
      /keys in an order of their own is not given back/,
    ],
    [
      'cuts large values',
      (store) => ({
        put: (draft, expected) => store.put(JSON.stringify(draft.value).length > 1e6 ? { ...draft, value: null } : draft, expected),
      }),
      /four megabytes is not given back/,
    ],
    [
      'takes null for nothing',
      (store) => ({ get: async (at) => ((await store.get(at))?.value === null ? undefined : store.get(at)) }),
      /null is not given back/,
    ],
  ],
  'store/gives-copies': [
    [
      'stores what it was given later',
      (store) => ({
        put: async (draft, expected) => {
          await new Promise((resolve) => setImmediate(resolve));
          return store.put(draft, expected);
        },
      }),
      /changed after it was given/,
    ],
    [
      'gives what it holds',
      (store) => {
        const held = new Map<string, StoredRecord>();
        return {
          get: async (at) => {
            const record = held.get(at.key) ?? (await store.get(at));
            if (record) held.set(at.key, record);
            return record;
          },
        };
      },
      /changing what it gave changes what is stored/,
    ],
  ],
  'store/sweeps': [
    ['does nothing', () => ({ sweep: async () => 0 }), /reports 0 records although 5 had expired/],
    [
      'sweeps everything away',
      (store) => {
        const keys: RecordDraft[] = [];
        return {
          put: (draft, expected) => {
            keys.push(draft);
            return store.put(draft, expected);
          },
          sweep: async () => {
            for (const at of keys) await store.remove(at);
            return keys.length;
          },
        };
      },
      /sweeps away what has not expired/,
    ],
  ],
  'store/closes': [
    ['stays open', () => ({ close: async () => undefined }), /get is answered although the store is closed/],
    [
      'drops writes under way',
      (store) => {
        let isClosed = false;
        return {
          put: async (draft, expected) => {
            await new Promise((resolve) => setImmediate(resolve));
            if (isClosed) throw new Error('closed');
            return store.put(draft, expected);
          },
          close: async () => {
            isClosed = true;
            await store.close();
          },
        };
      },
      /a write under way is lost/,
    ],
    [
      'cannot be closed twice',
      (store) => {
        let isClosed = false;
        return {
          close: async () => {
            if (isClosed) throw new Error('closed already');
            isClosed = true;
            await store.close();
          },
        };
      },
      /it threw instead of answering: Error: closed already/,
    ],
  ],
  'store/reopens': [
    ['only says it is durable', () => ({ durable: true }), /records are lost or changed/],
    [
      'forgets counters',
      (store) => ({ add: (at, ...words) => store.add({ ...at, space: String(Math.random()) }, ...words) }),
      /a counter is lost/,
      true,
    ],
  ],
};

describe('every check can fail', () => {
  test('and each has a store that makes it fail', () =>
    expect(Object.keys(broken)).toEqual(storeChecks.map(({ id }) => id).filter((id) => !id.startsWith('store/ledger-'))));

  const rows = Object.entries(broken).flatMap(([id, subjects]) =>
    subjects.map(([title, spoil, message, isDurable]) => [id, title, spoil, message, isDurable] as const),
  );
  test.each(rows)('%s finds a store that %s', async (id, _, spoil, message, isDurable = false) => {
    const found = await storeChecks.find((check) => check.id === id)?.run({ createStore: opener(spoil, isDurable), now, wait });
    expect(found?.[0]).toMatchObject({ check: id, level: 'must' });
    expect(found?.map((finding) => finding.message).join('\n')).toMatch(new RegExp(message.source, 'm'));
  });
});

function sortKeys(value: StoredRecord['value']): StoredRecord['value'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
