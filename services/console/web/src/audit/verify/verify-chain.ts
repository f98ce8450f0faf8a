import type { AuditHead, AuditVerification } from '@wp/contracts'
import type { z } from 'zod'

type Verification = z.infer<typeof AuditVerification>
type Problem = Verification['problems'][number]
export type SignedHeadResult = NonNullable<Verification['signed_head']>

/** The state of a verification that runs in parts, from the oldest record to the newest. */
export interface ChainCheck {
  status: 'running' | 'ok' | 'broken'
  /** Position of the last record when the verification began. */
  lastSeq: number
  /** Position of the last record whose part was verified. */
  verifiedSeq: number
  /** Every record up to this position is unchanged, as far as verified; undefined if there is none. */
  intactSeq: number | undefined
  checked: number
  erased: number
  problemCount: number
  /** The first problems, by position. */
  problems: readonly Problem[]
  anchor: Verification['anchor']
  /** The result for the signed head that was given. */
  signedHead: SignedHeadResult | undefined
}

export interface VerifyChainOptions {
  readHead: () => Promise<Pick<z.infer<typeof AuditHead>, 'seq'>>
  verifyPart: (query: { from_seq?: number; to_seq?: number; head?: string }) => Promise<Verification>
  /** The token of a head that was signed earlier. */
  headToken?: string | undefined
  partSize?: number
}

/** Some seconds of work on the server, so that progress is seen. */
const defaultPartSize = 50_000
const maxShownProblems = 100

/**
 * Verifies the whole chain in parts, and returns the state after each. It goes on after a problem, to find every one.
 */
export async function* verifyChain(options: VerifyChainOptions): AsyncGenerator<ChainCheck> {
  const { readHead, verifyPart, headToken, partSize = defaultPartSize } = options
  const { seq: lastSeq } = await readHead()
  const head = headToken === undefined ? {} : { head: headToken }
  // The newest record alone tells where the chain begins: older records may have been cut.
  const newest = lastSeq > partSize ? await verifyPart({ from_seq: lastSeq }) : undefined
  let check = startCheck(lastSeq, newest?.anchor ?? null)
  yield check
  let from: number | undefined
  while (check.status === 'running') {
    const to = check.verifiedSeq + partSize
    const isLast = to >= lastSeq
    // Without a bound, records before the beginning and after the end are found too.
    const range = { ...(from !== undefined && { from_seq: from }), ...(!isLast && { to_seq: to }) }
    check = addPart(check, await verifyPart({ ...range, ...head }), isLast ? Math.max(lastSeq, check.verifiedSeq) : to)
    if (isLast) check = { ...check, status: check.problemCount === 0 ? 'ok' : 'broken' }
    from = to + 1
    yield check
  }
}

const startCheck = (lastSeq: number, anchor: Verification['anchor']): ChainCheck => ({
  status: 'running',
  lastSeq,
  verifiedSeq: anchor?.seq ?? 0,
  intactSeq: undefined,
  checked: 0,
  erased: 0,
  problemCount: 0,
  problems: [],
  anchor,
  signedHead: undefined,
})

function addPart(check: ChainCheck, part: Verification, verifiedSeq: number): ChainCheck {
  const problems = [...check.problems, ...part.problems].toSorted((left, right) => left.seq - right.seq)
  const firstProblem = problems[0]
  // A part names its problems nearest to the end only: with more, the first one is not known.
  const isFirstKnown = check.problemCount > 0 || part.problem_count <= part.problems.length
  const intactSeq = firstProblem === undefined ? (part.last_seq ?? check.intactSeq) : firstProblem.seq - 1
  return {
    ...check,
    verifiedSeq,
    intactSeq: isFirstKnown ? intactSeq : check.intactSeq,
    checked: check.checked + part.checked,
    erased: check.erased + part.erased,
    problemCount: check.problemCount + part.problem_count,
    problems: problems.slice(0, maxShownProblems),
    anchor: part.anchor,
    signedHead: mergeSignedHead(check.signedHead, part.signed_head),
  }
}

/** A head is checked by the part that has its position. */
const mergeSignedHead = (known: SignedHeadResult | undefined, next: SignedHeadResult | undefined) =>
  known === undefined || known.status === 'not_checked' ? (next ?? known) : known

/** Returns the done share of a verification, of 0 to 1. */
export function progressOf({ status, lastSeq, verifiedSeq, anchor }: ChainCheck): number {
  if (status !== 'running') return 1
  const begin = anchor?.seq ?? 0
  return lastSeq <= begin ? 0 : (verifiedSeq - begin) / (lastSeq - begin)
}
