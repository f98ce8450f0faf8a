import type { auth, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'

/** The public keys that verify access tokens: the current one, the next, those whose tokens are alive. */
export const keySet: Operation<typeof auth.keySet, Context> = async ({ signingKeys }) => ({
  keys: signingKeys.published().map((jwk) => ({ ...jwk })),
})
