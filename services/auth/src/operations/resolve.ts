import type { authInternal, Operation, Resolution } from '@wp/contracts'
import type { Context } from '../context.ts'
import { resolveAll } from '../resolve/resolve-all.ts'

/** What a credential, or the caller stored with a job, may do now: the case of one. */
export const resolve: Operation<typeof authInternal.resolve, Context> = async (context, _caller, { body }) => {
  const [resolution] = await resolveAll(context.database.worker, [body])
  if (resolution === undefined) throw new Error('every credential that was asked for is resolved')
  recordUse(context, resolution)
  return resolution
}

/** The same of many at once. Every request of the platform waits for this. */
export const resolveMany: Operation<typeof authInternal.resolveMany, Context> = async (context, _caller, { body }) => {
  const resolutions = await resolveAll(context.database.worker, body.items)
  for (const resolution of resolutions) recordUse(context, resolution)
  return { resolutions }
}

/** The credential of a user is the session; of others it is themselves. */
function recordUse({ lastUsed }: Context, resolution: Resolution): void {
  if (resolution.status === 'active') lastUsed.record(resolution.identity.credential_id)
}
