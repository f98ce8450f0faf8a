import type { Client } from '@wp/client'

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
