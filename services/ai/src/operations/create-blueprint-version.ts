import { problem } from '@wp/contracts'
import { patchContent } from '../agents/agent-content.ts'
import { versionChanges } from '../agents/agent-view.ts'
import { checkInputSchema } from '../agents/input-schema/input-schema.ts'
import { addedReferences, checkIntegrations } from '../agents/integration-references.ts'
import { blueprintView } from '../blueprints/blueprint-view.ts'
import { findBuiltIn } from '../blueprints/built-in.ts'
import type { Operation } from '../context.ts'
import { findBlueprint, insertNextVersion, lockBlueprint } from '../store/blueprints/blueprints.ts'

/** Creates the next version of a blueprint from its current one, with what is given. */
export const createBlueprintVersion: Operation<'createBlueprintVersion'> = async (
  context,
  caller,
  { params: { id }, body },
) => {
  if (findBuiltIn(id) !== undefined)
    throw problem('conflict', {
      detail: `The blueprint ${id} is built in and cannot be changed; create your own with POST /v1/agents/blueprint`,
    })
  const { workspaceId, principal } = caller
  const before = await context.database.read(caller, (db) => findBlueprint(db, workspaceId, id))
  if (before === null) throw problem('not_found')
  checkInputSchema(body.input_schema)
  const added = addedReferences(patchContent(before.content, body), before.content, body, '')
  await checkIntegrations(context, caller, added)
  return context.database.transact(caller, async (tx) => {
    await lockBlueprint(tx.query, workspaceId, id)
    // Read again: another version may have been created since, which this one continues.
    const current = await findBlueprint(tx.db, workspaceId, id)
    if (current === null) throw problem('not_found')
    const content = patchContent(current.content, body)
    tx.audit({ changes: { fields: versionChanges(current.content, content).map(({ field }) => field) } })
    const created = { id, version: current.version, content, createdBy: principal.id }
    return blueprintView(await insertNextVersion(tx.db, workspaceId, created))
  })
}
