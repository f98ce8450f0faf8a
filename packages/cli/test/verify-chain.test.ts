import { expect, it } from '@jest/globals'
import { verifyChain } from '../src/commands/audit/verify.ts'

const part = (from: number, to: number, broken: number[] = []) => ({
  status: broken.length === 0 ? ('ok' as const) : ('broken' as const),
  checked: to - from + 1,
  first_seq: from,
  last_seq: to,
  next_to_seq: from === 1 ? null : from - 1,
  head_hash: `hash of ${to}`,
  anchor: null,
  erased: 1,
  problem_count: broken.length,
  problems: broken.map((seq) => ({ seq, id: null, kind: 'missing' as const, detail: '' })),
  signed_head: {
    seq: 3,
    hash: '',
    signed_at: '',
    status: from <= 3 && to >= 3 ? ('confirmed' as const) : ('not_checked' as const),
  },
})

it('verifies a long chain request by request, and adds up the results', async () => {
  const asked: (number | undefined)[] = []
  const whole = await verifyChain(async (toSeq) => {
    asked.push(toSeq)
    if (toSeq === undefined) return part(7, 9, [8])
    return toSeq === 6 ? part(4, 6) : part(1, 3, [1])
  })
  expect(asked).toEqual([undefined, 6, 3])
  expect(whole).toMatchObject({
    status: 'broken',
    checked: 9,
    first_seq: 1,
    last_seq: 9,
    next_to_seq: null,
    head_hash: 'hash of 9',
    erased: 3,
    problem_count: 2,
    problems: [{ seq: 1 }, { seq: 8 }],
    signed_head: { status: 'confirmed' },
  })
})

it('asks once for a chain that is verified by one request', async () => {
  const asked: unknown[] = []
  const whole = await verifyChain(async (toSeq) => {
    asked.push(toSeq)
    return part(1, 5)
  })
  expect(whole).toEqual(part(1, 5))
  expect(asked).toEqual([undefined])
})
