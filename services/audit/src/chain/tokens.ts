import { type AuditVerification, type ChainProblem, timestamp } from '@wp/contracts'
import type { DocumentSigner } from '@wp/service'
import { z } from 'zod'
import type { ChainHead } from '../store/record-types.ts'

const headType = 'audit-head+jwt'
const anchorType = 'audit-anchor+jwt'

const position = { workspace_id: z.string(), seq: z.number().int(), hash: z.string() }
const headClaims = z.object({ ...position, signed_at: timestamp() })
const anchorClaims = z.object({ ...position, cut_at: timestamp() })

/** Returns the signed token of a head. */
export const signHead = (signer: DocumentSigner, chain: string, { seq, hash, signedAt }: KeptHead): Promise<string> =>
  signer.sign(headType, { workspace_id: chain, seq, hash, signed_at: signedAt })

/** Returns the head of a token. @returns undefined if the token is not a head of this chain, signed by the audit log */
export async function readHeadToken(
  signer: DocumentSigner,
  chain: string,
  token: string,
): Promise<KeptHead | undefined> {
  const claims = headClaims.safeParse(await signer.verify(headType, token)).data
  if (claims?.workspace_id !== chain) return undefined
  return { seq: claims.seq, hash: claims.hash, signedAt: claims.signed_at }
}

/** Returns the signed token of an anchor. @param cutAt RFC 3339 */
export const signAnchor = (
  signer: DocumentSigner,
  chain: string,
  { seq, hash }: ChainHead,
  cutAt: string,
): Promise<string> => signer.sign(anchorType, { workspace_id: chain, seq, hash, cut_at: cutAt })

/** Returns true if the token is the anchor of this chain, with this position and hash, signed by the audit log. */
export async function isSignedAnchor(
  signer: DocumentSigner,
  chain: string,
  { seq, hash, token }: ChainHead & { token: string },
): Promise<boolean> {
  const claims = anchorClaims.safeParse(await signer.verify(anchorType, token)).data
  return claims !== undefined && claims.workspace_id === chain && claims.seq === seq && claims.hash === hash
}

/** A head that was signed earlier and kept by its reader. */
export interface KeptHead extends ChainHead {
  /** RFC 3339. */
  signedAt: string
}

/** The part of a chain that was verified, as far as a kept head concerns it. */
interface VerifiedPart {
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
