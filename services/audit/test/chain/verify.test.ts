import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { appendToChain, genesisHash, recordHash, type UnchainedRecord } from '../../src/chain/record.ts'
import { createChainVerifier } from '../../src/chain/verify.ts'
import type { ChainHead, StoredRecord } from '../../src/store/record-types.ts'

const entry = (id: string): UnchainedRecord => ({
  content: {
    id,
    action: 'data_source.created',
    occurredAt: '2026-01-05T09:30:00.000Z',
    actor: { id: 'usr_1', type: 'user' },
    targets: [{ type: 'data_source', id: 'src_1' }],
    requestId: 'req-1',
    outcome: 'success',
    changes: { name: id },
  },
  personal: { actorName: null, ip: '203.0.113.9', userAgent: 'curl/8' },
})

let salts = 0
/** Returns an intact chain in ascending order. */
function chainOf(length: number): StoredRecord[] {
  const entries = Array.from({ length }, (_, index) => entry(`log_${index + 1}`))
  const { appended } = appendToChain('ws_1', { seq: 0, hash: genesisHash }, entries, () =>
    `${++salts}`.padStart(64, '0'),
  )
  return appended
}

const genesis: ChainHead = { seq: 0, hash: genesisHash }

/**
 * Verifies stored records against the head of the intact chain.
 * @param anchor where it begins
 * @param latest the anchor read after the records
 */
function verify(
  found: readonly StoredRecord[],
  intact: readonly StoredRecord[],
  lastSeq = intact.length,
  { anchor = genesis, latest }: { anchor?: ChainHead; latest?: ChainHead } = {},
) {
  const verifier = createChainVerifier({ lastHash: intact.at(-1)?.hash, lastSeq, firstSeq: anchor.seq + 1, anchor })
  for (const one of found.toSorted((a, b) => b.record.seq - a.record.seq)) verifier.add(one)
  return verifier.finish(latest)
}

const problemsIn = ({ problems }: { problems: { kind: string; seq: number }[] }) =>
  problems.map(({ kind, seq }) => `${kind} ${seq}`)

const rehashed = (one: StoredRecord): StoredRecord => ({ ...one, hash: recordHash(one.record) })
const changed = (one: StoredRecord | undefined, change: Partial<StoredRecord['record']>): StoredRecord => {
  if (one === undefined) throw new Error('there is no such record')
  return { ...one, record: { ...one.record, ...change } }
}

const intact = chainOf(9)
const at = (seq: number) => intact.find(({ record }) => record.seq === seq) as StoredRecord // 1 to 9
const replaced = (...others: StoredRecord[]) =>
  intact.map((one) => others.find(({ record }) => record.seq === one.record.seq) ?? one)
const without = (...seqs: number[]) => intact.filter(({ record }) => !seqs.includes(record.seq))

describe('a chain', () => {
  it('verifies for any length', () => {
    for (const length of [0, 1, 2, 50]) {
      const chain = chainOf(length)
      expect(verify(chain, chain)).toMatchObject({ status: 'ok', checked: length, problems: [], erased: 0 })
    }
    expect(verify(intact, intact)).toMatchObject({ first_seq: 1, last_seq: 9 })
  })

  it('verifies with personal data erased, and counts the records concerned', () => {
    const erased = replaced({ ...at(3), personal: null }, { ...at(9), personal: null })
    expect(verify(erased, intact)).toMatchObject({ status: 'ok', erased: 2 })
  })
})

describe('an altered record', () => {
  it.each([1, 5, 9])('is reported whichever field was changed: record %i', (seq) => {
    const changes: Partial<StoredRecord['record']>[] = [
      { action: 'data_source.deleted' },
      { actor: { id: 'usr_2', type: 'user' } },
      { actor: { id: 'usr_1', type: 'user', client_id: 'https://app.example/client.json' } },
      { actor: { id: 'usr_1', type: 'user', session_id: 'ses_1' } },
      { targets: [] },
      { occurredAt: '2026-01-05T09:30:00.001Z' },
      { changes: null },
      { outcome: 'denied' },
      { requestId: 'req-2' },
      { id: 'log_x' },
      { personalHash: genesisHash },
      { prevHash: 'f'.repeat(64) },
      { workspaceId: 'ws_2' },
    ]
    for (const change of changes) {
      const one = changed(at(seq), change)
      expect([change, problemsIn(verify(replaced(one), intact))]).toEqual([change, [`altered ${seq}`]])
      // with only its own hash recomputed
      expect([change, problemsIn(verify(replaced(rehashed(one)), intact))]).toEqual([
        change,
        change.prevHash !== undefined && seq > 1 ? [`unlinked ${seq - 1}`, `altered ${seq}`] : [`altered ${seq}`],
      ])
    }
  })

  it('is reported when only its hash or its personal data were changed', () => {
    expect(problemsIn(verify(replaced({ ...at(5), hash: genesisHash }), intact))).toEqual(['altered 5'])
    const personal = { ...(at(5).personal ?? { salt: '', actorName: null, userAgent: null }), ip: '198.51.100.1' }
    expect(problemsIn(verify(replaced({ ...at(5), personal }), intact))).toEqual(['altered 5'])
  })

  it('is reported beside other altered records', () => {
    const two = replaced(changed(at(3), { action: 'x' }), rehashed(changed(at(7), { action: 'x' })))
    expect(problemsIn(verify(two, intact))).toEqual(['altered 3', 'altered 7'])
    const neighbours = replaced(changed(at(4), { action: 'x' }), rehashed(changed(at(5), { action: 'x' })))
    expect(problemsIn(verify(neighbours, intact))).toEqual(['altered 4', 'altered 5'])
  })

  it('is reported when every later record was recomputed but the head was not', () => {
    const forged = [...intact.slice(0, 4)]
    for (const one of intact.slice(4)) {
      const prevHash = forged.at(-1)?.hash ?? genesisHash
      forged.push(rehashed(changed(one, { prevHash, ...(one.record.seq === 5 ? { action: 'x' } : {}) })))
    }
    expect(problemsIn(verify(forged, intact)).at(-1)).toBe('altered 9')
  })
})

describe('a missing record', () => {
  it.each([1, 5, 9])('is reported: record %i', (seq) => {
    expect(problemsIn(verify(without(seq), intact))).toEqual([`missing ${seq}`])
  })

  it('is reported as one range with its neighbours', () => {
    const { problems } = verify(without(4, 5, 6, 8, 9), intact)
    expect(problems).toEqual([
      { kind: 'missing', seq: 4, id: null, detail: 'records 4 to 6 are missing' },
      { kind: 'missing', seq: 8, id: null, detail: 'records 8 to 9 are missing' },
    ])
    expect(problemsIn(verify([], intact))).toEqual(['missing 1'])
  })

  it('is reported when later records were moved into its position', () => {
    const moved = without(5).map((one) => (one.record.seq > 5 ? changed(one, { seq: one.record.seq - 1 }) : one))
    expect(verify(moved, intact, 8).problems).toMatchObject([
      { kind: 'missing', seq: 5 },
      { kind: 'altered', seq: 5, detail: 'records 5 to 8 were moved by -1 and not changed otherwise' },
    ])
  })

  it('does not hide that the record below it was altered', () => {
    const altered = replaced(changed(at(4), { action: 'x' })).filter(({ record }) => record.seq !== 5)
    expect(problemsIn(verify(altered, intact))).toEqual(['altered 4', 'missing 5'])
  })
})

describe('an inserted record', () => {
  const forged = (seq: number, prevHash: string) => rehashed(changed(at(5), { seq, id: 'log_forged', prevHash }))

  it('is reported beyond the end of the chain', () => {
    expect(problemsIn(verify([...intact, forged(10, at(9).hash)], intact))).toEqual(['inserted 10'])
    expect(problemsIn(verify([...intact, forged(10, at(9).hash), forged(11, genesisHash)], intact))).toEqual([
      'inserted 10',
      'inserted 11',
    ])
    expect(problemsIn(verify([...intact, forged(0, genesisHash)], intact))).toEqual(['inserted 0'])
  })

  it('is reported when it has the position of another record', () => {
    for (const pair of [
      [forged(5, at(4).hash), at(5)],
      [at(5), forged(5, at(4).hash)],
    ]) {
      const both = [...intact.slice(0, 4), ...pair, ...intact.slice(5)]
      expect(verify(both, intact).problems).toMatchObject([{ kind: 'inserted', seq: 5, id: 'log_forged' }])
    }
  })

  it.each([9, 10])('is reported when later records were moved to make room, with the head at %i', (lastSeq) => {
    const moved = intact.map((one) => (one.record.seq > 4 ? changed(one, { seq: one.record.seq + 1 }) : one))
    expect(verify([...moved, forged(5, at(4).hash)], intact, lastSeq).problems).toMatchObject([
      { kind: 'inserted', seq: 5, id: 'log_forged' },
      { kind: 'altered', seq: 6, detail: 'records 6 to 10 were moved by 1 and not changed otherwise' },
    ])
  })

  it('is reported when later records were moved to make room for several', () => {
    const moved = intact.map((one) => (one.record.seq > 4 ? changed(one, { seq: one.record.seq + 2 }) : one))
    const two = [forged(5, at(4).hash), rehashed(changed(forged(6, genesisHash), { id: 'log_second' }))]
    expect(problemsIn(verify([...moved, ...two], intact))).toEqual(['inserted 5', 'inserted 6', 'altered 7'])
  })
})

describe('a chain whose oldest records were cut', () => {
  const anchorAt = (seq: number): ChainHead => ({ seq, hash: at(seq).hash })
  const after = (seq: number) => intact.filter(({ record }) => record.seq > seq)

  it.each([1, 4, 8, 9])('verifies from its anchor, at record %i', (seq) => {
    const result = verify(after(seq), intact, 9, { anchor: anchorAt(seq) })
    expect(result).toMatchObject({ status: 'ok', checked: 9 - seq, problems: [] })
  })

  it.each([
    ['the anchor names another hash', after(4), { seq: 4, hash: at(3).hash }, ['unlinked 5']],
    ['the anchor names another hash than the head of an empty chain', [], { seq: 9, hash: at(8).hash }, ['unlinked 9']],
    ['records above the anchor are missing', after(6), anchorAt(4), ['missing 5']],
    ['there is no anchor', after(4), genesis, ['missing 1']],
    ['an older anchor was put back', after(4), anchorAt(2), ['missing 3']],
    ['a record that was cut is there again', [at(3), ...after(4)], anchorAt(4), ['inserted 3']],
    [
      'the first record after the anchor was altered',
      [changed(at(5), { action: 'x' }), ...after(5)],
      anchorAt(4),
      ['altered 5'],
    ],
  ])('is reported when %s', (_, found, anchor, expected) => {
    expect(problemsIn(verify(found, intact, 9, { anchor }))).toEqual(expected)
  })

  it.each([
    ['before any record was read', after(6), genesis, anchorAt(6)],
    ['after some records above the new anchor were read', after(6), anchorAt(2), anchorAt(6)],
    ['after records below the new anchor were read', after(4), anchorAt(2), anchorAt(6)],
    ['after every record was read', after(2), anchorAt(2), anchorAt(6)],
  ])('verifies when it is cut during the verification, %s', (_, found, anchor, latest) => {
    expect(problemsIn(verify(found, intact, 9, { anchor, latest }))).toEqual([])
  })

  it('is reported when more is missing than the latest anchor says', () => {
    expect(problemsIn(verify(after(7), intact, 9, { anchor: anchorAt(2), latest: anchorAt(6) }))).toEqual(['missing 7'])
  })
})

describe('any change of one record', () => {
  it('is reported at its position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.constantFrom('alter', 'remove', 'rehash'), (seq, action) => {
        const one = changed(at(seq), { changes: { forged: true } })
        const found = action === 'remove' ? without(seq) : replaced(action === 'rehash' ? rehashed(one) : one)
        expect(problemsIn(verify(found, intact))).toEqual([`${action === 'remove' ? 'missing' : 'altered'} ${seq}`])
      }),
    )
  })

  it('is counted without limit and listed at most 100 times', () => {
    const long = chainOf(300)
    const found = long.map((one) => changed(one, { action: 'x' }))
    const { problem_count, problems, status } = verify(found, long)
    expect([status, problem_count, problems.length]).toEqual(['broken', 300, 100])
  })
})
