import { enforceQuota, newId } from '@wp/database'
import { checkInputSchema } from '../agents/input-schema/input-schema.ts'
import { checkIntegrations, integrationReferences } from '../agents/integration-references.ts'
import { blueprintView } from '../blueprints/blueprint-view.ts'
import type { Operation } from '../context.ts'
import { insertBlueprint } from '../store/blueprints/blueprints.ts'
import { blueprintQuota } from '../store/quotas.ts'

export const createBlueprint: Operation<'createBlueprint'> = async (context, caller, { body }) => {
  const { input_schema: inputSchema, external_id: externalId, metadata, ...rest } = body
  checkInputSchema(inputSchema)
  await checkIntegrations(context, caller, integrationReferences(rest))
  const { workspaceId, principal } = caller
  const blueprint = {
    id: newId('bp'),
    content: { ...rest, inputSchema },
    metadata,
    externalId,
    createdBy: principal.id,
  }
  return context.database.transact(caller, async (tx) => {
    const inserted = await insertBlueprint(tx.db, workspaceId, blueprint)
    await enforceQuota(tx.query, workspaceId, blueprintQuota)
    return blueprintView(inserted)
  })
}
