import type { Client } from '@wp/client'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'

interface VerifyFlags extends OutputFlags {
  head: string | undefined
}

export async function verifyAudit(this: Context, flags: VerifyFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const verification = await verifyChain((to_seq) =>
    client.audit.verifyLogs({ query: definedMembers({ head: flags.head, to_seq }) }),
  )
  await printItem(this, flags, verification, [
    { title: 'status', value: ({ status }) => status },
    { title: 'checked', value: ({ checked }) => checked },
    { title: 'first', value: ({ first_seq }) => first_seq },
    { title: 'last', value: ({ last_seq }) => last_seq },
    { title: 'head hash', value: ({ head_hash }) => head_hash },
    { title: 'signed head', value: ({ signed_head }) => signed_head?.status },
    { title: 'problems', value: ({ problem_count }) => problem_count },
  ])
  const { status, problems, problem_count: problemCount, signed_head: signedHead } = verification
  for (const { seq, kind, detail } of problems) report(this, `record ${seq} ${kind}: ${detail}`)
  if (signedHead?.status === 'contradicted') throw new Error('records up to the signed head were changed since')
  if (status === 'broken') throw new Error(`the chain is broken: ${problemCount} problems`)
}

type Verification = Awaited<ReturnType<Client['audit']['verifyLogs']>>

const maxProblems = 100

/**
 * Verifies a chain of any length, request by request from its end, and returns the result of all of them.
 * @param verifyUpTo verifies records up to a position; undefined: up to the end of the chain
 */
export async function verifyChain(
  verifyUpTo: (toSeq: number | undefined) => Promise<Verification>,
): Promise<Verification> {
  let whole = await verifyUpTo(undefined)
  while (whole.next_to_seq !== null) whole = addOlder(whole, await verifyUpTo(whole.next_to_seq))
  return whole
}

function addOlder(newer: Verification, older: Verification): Verification {
  // A head is checked by the part that has its position.
  const signedHead = newer.signed_head?.status === 'not_checked' ? older.signed_head : newer.signed_head
  return {
    ...newer,
    status: newer.status === 'ok' ? older.status : newer.status,
    checked: newer.checked + older.checked,
    first_seq: older.first_seq ?? newer.first_seq,
    next_to_seq: older.next_to_seq,
    anchor: older.anchor,
    erased: newer.erased + older.erased,
    problem_count: newer.problem_count + older.problem_count,
    problems: [...older.problems, ...newer.problems].slice(-maxProblems),
    ...(signedHead === undefined ? {} : { signed_head: signedHead }),
  }
}
