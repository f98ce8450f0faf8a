import type { AuditVerification, ChainProblem } from '@wp/contracts'
import type { z } from 'zod'
import type { ChainHead } from '../store/record-types.ts'

/** A head that was signed earlier and kept by its reader. */
export interface KeptHead extends ChainHead {
  /** RFC 3339. */
  signedAt: string
}

/** The part of a chain that was verified, as far as a kept head concerns it. */
export interface VerifiedPart {
  /** Hash of the record at the position of the kept head; undefined if there is none in the part. */
  foundHash: string | undefined
  /** Positions of the first and the last record of the part, both inclusive. */
  firstSeq: number
  lastSeq: number
  anchor: ChainHead
  /** True if the part ends with the chain, so that a kept head beyond it is a contradiction. */
  isEnd: boolean
}

type Status = NonNullable<z.output<typeof AuditVerification>['signed_head']>['status']

/** Returns what the verified part says about a kept head. */
export function compareSignedHead(kept: KeptHead, part: VerifiedPart): Status {
  const { foundHash, firstSeq, lastSeq, anchor, isEnd } = part
  if (kept.seq === anchor.seq) return kept.hash === anchor.hash ? 'confirmed' : 'contradicted'
  if (kept.seq < anchor.seq) return 'cut'
  if (kept.seq < firstSeq || (kept.seq > lastSeq && !isEnd)) return 'not_checked'
  return kept.hash === foundHash ? 'confirmed' : 'contradicted'
}

/** Returns the problem of a contradicted head. */
export const contradictionOf = (
  { seq, signedAt }: KeptHead,
  foundHash: string | undefined,
): z.output<typeof ChainProblem> => ({
  seq,
  id: null,
  kind: foundHash === undefined ? 'missing' : 'altered',
  detail: `the head signed at ${signedAt} names another hash: records up to it were changed afterwards`,
})
