import {
  authInternal,
  Invalidation,
  invalidationSubject,
  maxPresentedCredentials,
  type Resolution,
} from '@wp/contracts'
import type { Schedule } from '@wp/jobs/background'
import { createLoop, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import {
  type DependentSubscription,
  findDependentSubscriptions,
} from '../store/subscriptions/dependent-subscriptions.ts'
import { disableAfterSession } from '../subscriptions/disable.ts'

/** Longest time for which an application's subscription stays active after its session has ended. */
const pollMs = 15_000
/** Shortest time between two passes that invalidations request, regardless of their number. */
const wakeIntervalMs = 250
/** Sessions and users of one pass; what does not fit waits for the poll. */
const maxNames = 1_000

type SessionEndContext = Pick<Context, 'bus' | 'database' | 'internal' | 'log'>

/**
 * Returns the schedule that disables subscriptions of applications whose session has ended, or whose user has left the
 * workspace. It asks auth about all of them, so that no end is missed, whatever its cause: signing out, revocation,
 * expiry, removal.
 */
export const sessionEndSchedule = (context: SessionEndContext): Schedule => ({
  name: 'application sessions',
  everyMs: pollMs,
  pass: () => disableEnded(context),
})

/** Creates the worker that does the same faster: it asks about the sessions and users that invalidations name. */
export function createSessionEndWorker(context: SessionEndContext): Worker {
  const names = new Set<string>()
  return createLoop({
    name: 'ended application sessions',
    async pass() {
      const chosen = [...names]
      names.clear()
      return chosen.length === 0 ? 'idle' : await disableEnded(context, chosen)
    },
    pollMs,
    wakeIntervalMs,
    log: context.log,
    subscribe: (wake) => {
      const { unsubscribe } = context.bus.subscribe(invalidationSubject, (data) => {
        const { credential_id, principal_id } = Invalidation.safeParse(data).data ?? {}
        for (const name of [credential_id, principal_id])
          if (name !== undefined && names.size < maxNames) names.add(name)
        if (names.size > 0) wake()
      })
      return [unsubscribe]
    },
  })
}

/** @param names sessions and users; undefined for all */
async function disableEnded(context: SessionEndContext, names?: readonly string[]): Promise<'idle'> {
  let after = ''
  for (;;) {
    const limit = maxPresentedCredentials
    const found = await findDependentSubscriptions(context.database.worker, names, { after, limit })
    const last = found.at(-1)
    if (last === undefined) return 'idle'
    const resolutions = await resolve(context, found)
    for (const [index, subscription] of found.entries())
      if (hasEnded(subscription, resolutions[index])) await disableAfterSession(context, subscription)
    after = last.webhookId
  }
}

async function resolve(
  { internal }: SessionEndContext,
  subscriptions: readonly DependentSubscription[],
): Promise<Resolution[]> {
  const items = subscriptions.map(({ workspaceId, dependsOn: { userId, clientId, sessionId } }) => ({
    type: 'caller' as const,
    principal_id: userId,
    principal_type: 'user' as const,
    credential_id: sessionId,
    client_id: clientId,
    workspace_id: workspaceId,
  }))
  const input = { params: {}, query: {}, body: { items } }
  return (await internal.callAsSystem(authInternal.resolveMany, { workspaceId: null }, input)).resolutions
}

/** A missing resolution says nothing about the session. */
const hasEnded = ({ workspaceId }: DependentSubscription, resolution: Resolution | undefined): boolean =>
  resolution !== undefined &&
  (resolution.status !== 'active' || resolution.identity.grants.every((grant) => grant.workspace_id !== workspaceId))
