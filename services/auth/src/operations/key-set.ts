import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Returns the JWKS: the current key, the next key, and earlier keys whose tokens are still valid. */
export const keySet: Operation<typeof auth.keySet, Context> = async ({ signingKeys }) => ({
  keys: signingKeys.published().map((jwk) => ({ ...jwk })),
})
