import type { authInternal, Operation, Presented, Resolution } from '@wp/contracts'
import type { Context } from '../context.ts'
import {
  type CallerStanding,
  resolveApiKey,
  resolveMachineToken,
  resolveStoredCaller,
  resolveUserToken,
} from '../resolve/resolution.ts'
import { keyStandingByHash, keyStandingById, machineStanding, userStanding } from '../store/standing.ts'

/** What a credential, or the caller stored with a job, may do now. Every request of the platform waits for this. */
export const resolve: Operation<typeof authInternal.resolve, Context> = async (context, _caller, { body }) => {
  const resolution = await resolutionOf(context, body)
  if (resolution.status === 'active') noteUse(context, resolution)
  return resolution
}

async function resolutionOf({ database: { worker } }: Context, shown: Presented): Promise<Resolution> {
  switch (shown.type) {
    case 'api_key':
      return resolveApiKey(shown, await keyStandingByHash(worker, shown.hash))
    case 'token':
      return shown.principal_type === 'user'
        ? resolveUserToken(shown, await userStanding(worker, shown.principal_id))
        : resolveMachineToken(await machineStanding(worker, shown.principal_id))
    case 'caller':
      return resolveStoredCaller(shown, await callerStanding(worker, shown))
  }
}

async function callerStanding(
  worker: Context['database']['worker'],
  { principal_type: type, principal_id: id }: Extract<Presented, { type: 'caller' }>,
): Promise<CallerStanding | undefined> {
  if (type === 'api_key') return { key: await keyStandingById(worker, id) }
  if (type === 'service_principal') return { machine: await machineStanding(worker, id) }
  if (type === 'user') return { user: await userStanding(worker, id) }
  return undefined
}

function noteUse({ lastUsed }: Context, { identity }: Extract<Resolution, { status: 'active' }>): void {
  if (identity.principal.type !== 'user') lastUsed.note(identity.principal.id)
}
