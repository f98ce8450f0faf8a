import type { Resolution } from '@wp/contracts'
import type { Context, Operation } from '../context.ts'
import { resolveAll } from '../resolve/resolve-all.ts'

/** Resolves one credential or stored caller to its current identity. */
export const resolve: Operation<'resolve'> = async (context, _caller, { body }) => {
  const [resolution] = await resolveAll(context.database.extraPools.resolve, [body])
  if (resolution === undefined) throw new Error('every credential that was asked for is resolved')
  recordUse(context, resolution)
  return resolution
}

/** Resolves many credentials at once. On the critical path of every request to the platform. */
export const resolveMany: Operation<'resolveMany'> = async (context, _caller, { body }) => {
  const resolutions = await resolveAll(context.database.extraPools.resolve, body.items)
  for (const resolution of resolutions) recordUse(context, resolution)
  return { resolutions }
}

/** Records the use of a credential: a user's session, or the service principal or API key itself. */
function recordUse({ lastUsed }: Context, resolution: Resolution): void {
  if (resolution.status === 'active') lastUsed.record(resolution.identity.credential_id)
}
