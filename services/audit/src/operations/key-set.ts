import type { audit, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Returns the JWKS: the current key, and earlier keys whose heads remain verifiable. */
export const keySet: Operation<typeof audit.keySet, Context> = async ({ signer }) => ({
  keys: signer.publicKeys.map((jwk) => ({ ...jwk })),
})
