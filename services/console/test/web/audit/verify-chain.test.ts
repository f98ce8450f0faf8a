import { describe, expect, test } from '@jest/globals'
import { progressOf, type VerifyChainOptions, verifyChain } from '../../../web/src/audit/verify/verify-chain.ts'

type Part = Awaited<ReturnType<VerifyChainOptions['verifyPart']>>
type Query = Parameters<VerifyChainOptions['verifyPart']>[0]

const anchor = { seq: 100, hash: 'h100', cut_at: '2026-01-01T00:00:00.000Z' }
const altered = (seq: number): Part['problems'][number] => ({ seq, id: null, kind: 'altered', detail: 'was altered' })

/** A chain whose records at the given positions were altered. */
function chain(lastSeq: number, { broken = [], cut = null }: { broken?: number[]; cut?: Part['anchor'] } = {}) {
  const queries: Query[] = []
  const options: VerifyChainOptions = {
    partSize: 10,
    readHead: async () => ({ seq: lastSeq }),
    verifyPart: async (query) => {
      queries.push(query)
      const from = Math.max(query.from_seq ?? 1, (cut?.seq ?? 0) + 1)
      const to = query.to_seq ?? lastSeq
      const problems = broken.filter((seq) => seq >= from && seq <= to).map(altered)
      const isEmpty = to < from
      return {
        status: problems.length === 0 ? 'ok' : 'broken',
        checked: to - from + 1,
        first_seq: isEmpty ? null : from,
        last_seq: isEmpty ? null : to,
        next_to_seq: null,
        head_hash: null,
        anchor: cut,
        erased: 1,
        problem_count: problems.length,
        problems,
        ...(query.head !== undefined && {
          signed_head: {
            seq: 15,
            hash: 'h15',
            signed_at: '2026-01-01T00:00:00.000Z',
            status: from <= 15 && to >= 15 ? ('confirmed' as const) : ('not_checked' as const),
          },
        }),
      }
    },
  }
  return { queries, options }
}

describe('verifyChain', () => {
  test('verifies every record once, the first and the last part without a bound', async () => {
    const { queries, options } = chain(25)
    const states = await Array.fromAsync(verifyChain(options))
    expect(queries).toEqual([{ from_seq: 25 }, { to_seq: 10 }, { from_seq: 11, to_seq: 20 }, { from_seq: 21 }])
    expect(states.map(progressOf)).toEqual([0, 0.4, 0.8, 1])
    expect(states.at(-1)).toMatchObject({ status: 'ok', checked: 25, erased: 3, intactSeq: 25 })
  })

  test('verifies a short chain with one call', async () => {
    const { queries, options } = chain(10)
    expect((await Array.fromAsync(verifyChain(options))).at(-1)).toMatchObject({ status: 'ok', intactSeq: 10 })
    expect(queries).toEqual([{}])
  })

  test('an empty chain is intact', async () => {
    const states = await Array.fromAsync(verifyChain(chain(0).options))
    expect(states.at(-1)).toMatchObject({ status: 'ok', checked: 0, intactSeq: undefined })
  })

  test('begins after the records that were cut', async () => {
    const { queries, options } = chain(115, { cut: anchor })
    const states = await Array.fromAsync(verifyChain(options))
    expect(queries.slice(1)).toEqual([{ to_seq: 110 }, { from_seq: 111 }])
    expect(states[0] && progressOf(states[0])).toBe(0)
    expect(states.at(-1)).toMatchObject({ status: 'ok', checked: 15, anchor })
  })

  test('reports the last intact record and every problem', async () => {
    const states = await Array.fromAsync(verifyChain(chain(35, { broken: [13, 27] }).options))
    expect(states.at(-1)).toMatchObject({ status: 'broken', intactSeq: 12, problemCount: 2, checked: 35 })
    expect(states.at(-1)?.problems.map(({ seq }) => seq)).toEqual([13, 27])
  })

  test('claims no intact record of a part that has more problems than it names', async () => {
    const { options } = chain(15, { broken: [12] })
    const verifyPart: VerifyChainOptions['verifyPart'] = async (query) => ({
      ...(await options.verifyPart(query)),
      ...(query.to_seq === undefined && { problem_count: 101 }),
    })
    const states = await Array.fromAsync(verifyChain({ ...options, verifyPart }))
    expect(states.at(-1)).toMatchObject({ intactSeq: 10, problemCount: 101 })
  })

  test('keeps the result of the part that has the position of the signed head', async () => {
    const states = await Array.fromAsync(verifyChain({ ...chain(25).options, headToken: 'token' }))
    expect(states.at(-1)?.signedHead).toMatchObject({ seq: 15, status: 'confirmed' })
  })
})
