import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { append, type Entry } from '../src/chain/append.ts'
import { genesis, hashOf } from '../src/chain/record.ts'
import { createVerifier, type FoundRecord } from '../src/chain/verify.ts'

const entry = (id: string): Entry => ({
  facts: {
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
/** A chain as it should lie in the database, in rising order. */
function chainOf(length: number): FoundRecord[] {
  const entries = Array.from({ length }, (_, index) => entry(`log_${index + 1}`))
  const { appended } = append('ws_1', { seq: 0, hash: genesis }, entries, () => `${++salts}`.padStart(64, '0'))
  return appended
}

/** What is said of records when the chain should end where `true` does. */
function verdictOn(found: readonly FoundRecord[], whole: readonly FoundRecord[], lastSeq = whole.length) {
  const verifier = createVerifier({ lastHash: whole.at(-1)?.hash, lastSeq, firstSeq: 1 })
  for (const one of found.toSorted((a, b) => b.record.seq - a.record.seq)) verifier.take(one)
  return verifier.end()
}

const named = ({ problems }: { problems: { kind: string; seq: number }[] }) =>
  problems.map(({ kind, seq }) => `${kind} ${seq}`)

const rehashed = (one: FoundRecord): FoundRecord => ({ ...one, hash: hashOf(one.record) })
const changed = (one: FoundRecord | undefined, change: Partial<FoundRecord['record']>): FoundRecord => {
  if (one === undefined) throw new Error('there is no such record')
  return { ...one, record: { ...one.record, ...change } }
}

const whole = chainOf(9)
const at = (seq: number) => whole.find(({ record }) => record.seq === seq) as FoundRecord // 1 to 9
const replaced = (...others: FoundRecord[]) =>
  whole.map((one) => others.find(({ record }) => record.seq === one.record.seq) ?? one)
const without = (...seqs: number[]) => whole.filter(({ record }) => !seqs.includes(record.seq))

describe('a chain', () => {
  it('verifies, of any length', () => {
    for (const length of [0, 1, 2, 50]) {
      const chain = chainOf(length)
      expect(verdictOn(chain, chain)).toMatchObject({ status: 'ok', checked: length, problems: [], erased: 0 })
    }
    expect(verdictOn(whole, whole)).toMatchObject({ first_seq: 1, last_seq: 9 })
  })

  it('verifies with personal data erased, and says of how many', () => {
    const erased = replaced({ ...at(3), personal: null }, { ...at(9), personal: null })
    expect(verdictOn(erased, whole)).toMatchObject({ status: 'ok', erased: 2 })
  })
})

describe('a record that was altered', () => {
  it.each([1, 5, 9])('is named, whatever of it was: record %i', (seq) => {
    const changes: Partial<FoundRecord['record']>[] = [
      { action: 'data_source.deleted' },
      { actor: { id: 'usr_2', type: 'user' } },
      { targets: [] },
      { occurredAt: '2026-01-05T09:30:00.001Z' },
      { changes: null },
      { outcome: 'denied' },
      { requestId: 'req-2' },
      { id: 'log_x' },
      { personalHash: genesis },
      { prevHash: 'f'.repeat(64) },
      { workspaceId: 'ws_2' },
    ]
    for (const change of changes) {
      const one = changed(at(seq), change)
      expect([change, named(verdictOn(replaced(one), whole))]).toEqual([change, [`altered ${seq}`]])
      // with its hash made anew, and nothing else
      expect([change, named(verdictOn(replaced(rehashed(one)), whole))]).toEqual([
        change,
        change.prevHash !== undefined && seq > 1 ? [`unlinked ${seq - 1}`, `altered ${seq}`] : [`altered ${seq}`],
      ])
    }
  })

  it('is named when its hash alone was, or the data beside it', () => {
    expect(named(verdictOn(replaced({ ...at(5), hash: genesis }), whole))).toEqual(['altered 5'])
    const personal = { ...(at(5).personal ?? { salt: '', actorName: null, userAgent: null }), ip: '198.51.100.1' }
    expect(named(verdictOn(replaced({ ...at(5), personal }), whole))).toEqual(['altered 5'])
  })

  it('is named beside others', () => {
    const two = replaced(changed(at(3), { action: 'x' }), rehashed(changed(at(7), { action: 'x' })))
    expect(named(verdictOn(two, whole))).toEqual(['altered 3', 'altered 7'])
    const neighbours = replaced(changed(at(4), { action: 'x' }), rehashed(changed(at(5), { action: 'x' })))
    expect(named(verdictOn(neighbours, whole))).toEqual(['altered 4', 'altered 5'])
  })

  it('is named when everything after it was made anew, but the end of the chain', () => {
    const forged = [...whole.slice(0, 4)]
    for (const one of whole.slice(4)) {
      const prevHash = forged.at(-1)?.hash ?? genesis
      forged.push(rehashed(changed(one, { prevHash, ...(one.record.seq === 5 ? { action: 'x' } : {}) })))
    }
    expect(named(verdictOn(forged, whole)).at(-1)).toBe('altered 9')
  })
})

describe('a record that is gone', () => {
  it.each([1, 5, 9])('is named: record %i', (seq) => {
    expect(named(verdictOn(without(seq), whole))).toEqual([`missing ${seq}`])
  })

  it('is named with its neighbours as one', () => {
    const { problems } = verdictOn(without(4, 5, 6, 8, 9), whole)
    expect(problems).toEqual([
      { kind: 'missing', seq: 4, id: null, detail: 'records 4 to 6 are gone' },
      { kind: 'missing', seq: 8, id: null, detail: 'records 8 to 9 are gone' },
    ])
    expect(named(verdictOn([], whole))).toEqual(['missing 1'])
  })

  it('is named when those after it were moved into its place', () => {
    const moved = without(5).map((one) => (one.record.seq > 5 ? changed(one, { seq: one.record.seq - 1 }) : one))
    expect(verdictOn(moved, whole, 8).problems).toMatchObject([
      { kind: 'missing', seq: 5 },
      { kind: 'altered', seq: 5, detail: 'records 5 to 8 were moved by -1, and otherwise left as recorded' },
    ])
  })

  it('does not hide that the one below it was altered', () => {
    const altered = replaced(changed(at(4), { action: 'x' })).filter(({ record }) => record.seq !== 5)
    expect(named(verdictOn(altered, whole))).toEqual(['altered 4', 'missing 5'])
  })
})

describe('a record that was inserted', () => {
  const forged = (seq: number, prevHash: string) => rehashed(changed(at(5), { seq, id: 'log_forged', prevHash }))

  it('is named beyond the end', () => {
    expect(named(verdictOn([...whole, forged(10, at(9).hash)], whole))).toEqual(['inserted 10'])
    expect(named(verdictOn([...whole, forged(10, at(9).hash), forged(11, genesis)], whole))).toEqual([
      'inserted 10',
      'inserted 11',
    ])
    expect(named(verdictOn([...whole, forged(0, genesis)], whole))).toEqual(['inserted 0'])
  })

  it('is named in the place of another', () => {
    for (const pair of [
      [forged(5, at(4).hash), at(5)],
      [at(5), forged(5, at(4).hash)],
    ]) {
      const both = [...whole.slice(0, 4), ...pair, ...whole.slice(5)]
      expect(verdictOn(both, whole).problems).toMatchObject([{ kind: 'inserted', seq: 5, id: 'log_forged' }])
    }
  })

  it.each([9, 10])('is named where those after it made room for it, the end of the chain at %i', (lastSeq) => {
    const moved = whole.map((one) => (one.record.seq > 4 ? changed(one, { seq: one.record.seq + 1 }) : one))
    expect(verdictOn([...moved, forged(5, at(4).hash)], whole, lastSeq).problems).toMatchObject([
      { kind: 'inserted', seq: 5, id: 'log_forged' },
      { kind: 'altered', seq: 6, detail: 'records 6 to 10 were moved by 1, and otherwise left as recorded' },
    ])
  })

  it('is named with others for whom room was made', () => {
    const moved = whole.map((one) => (one.record.seq > 4 ? changed(one, { seq: one.record.seq + 2 }) : one))
    const two = [forged(5, at(4).hash), rehashed(changed(forged(6, genesis), { id: 'log_second' }))]
    expect(named(verdictOn([...moved, ...two], whole))).toEqual(['inserted 5', 'inserted 6', 'altered 7'])
  })
})

describe('whatever is done to one record', () => {
  it('is noticed at its place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.constantFrom('alter', 'remove', 'rehash'), (seq, deed) => {
        const one = changed(at(seq), { changes: { forged: true } })
        const found = deed === 'remove' ? without(seq) : replaced(deed === 'rehash' ? rehashed(one) : one)
        expect(named(verdictOn(found, whole))).toEqual([`${deed === 'remove' ? 'missing' : 'altered'} ${seq}`])
      }),
    )
  })

  it('is counted however often it was done, and listed a hundred times', () => {
    const long = chainOf(300)
    const found = long.map((one) => changed(one, { action: 'x' }))
    const { problem_count, problems, status } = verdictOn(found, long)
    expect([status, problem_count, problems.length]).toEqual(['broken', 300, 100])
  })
})
