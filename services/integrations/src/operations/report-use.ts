import type { InputOf, integrationsInternal, Operation } from '@wp/contracts'
import { noteOutcome } from '../connections/note-outcome.ts'
import type { Outcome } from '../connections/standing.ts'
import { inWorkspace } from '../connections/workspace.ts'
import type { Context } from '../context.ts'
import { lockIntegration } from '../store/integrations.ts'

/** How it stands is kept by use. */
export const reportUse: Operation<typeof integrationsInternal.reportUse, Context> = (
  { database, now },
  caller,
  { params: { integration_id: id }, body },
) =>
  database.transact(caller, async (tx) => {
    const row = await lockIntegration(tx, inWorkspace(caller), id)
    const isAboutIt = body.revision === undefined || body.revision === row.revision
    const after = isAboutIt ? await noteOutcome(tx, row, outcomeOf(body), new Date(now())) : row
    return { integration_id: id, status: after.status }
  })

function outcomeOf({ outcome, message }: InputOf<typeof integrationsInternal.reportUse>['body']): Outcome {
  if (outcome === 'ok') return { outcome }
  return outcome === 'unauthorized'
    ? {
        outcome: 'failed',
        code: 'unauthorized',
        message: message ?? 'The provider refuses the credentials',
        isFinal: true,
      }
    : { outcome: 'failed', code: 'unavailable', message: message ?? 'The provider could not be used', isFinal: false }
}
