import { invalidField } from '@wp/contracts'
import type { BlueprintReference } from '../agents/agent-content.ts'
import type { Context } from '../context.ts'
import { findBlueprintVersion } from '../store/blueprints/blueprint-versions.ts'
import { findBlueprint } from '../store/blueprints/blueprints.ts'
import { findBuiltIn } from './built-in.ts'

/**
 * Returns a version of a blueprint that an agent is made from.
 * @param version default: the current one
 * @throws Problem `unknown_reference` with a pointer to `blueprint_id` or `blueprint_version`
 */
export async function resolveBlueprint(
  { database }: Pick<Context, 'database'>,
  workspaceId: string,
  id: string,
  version?: number,
): Promise<BlueprintReference> {
  const found = findBuiltIn(id)
  if (found !== undefined) {
    const number = version ?? found.versions.length
    const content = found.versions[number - 1]?.content
    if (content === undefined) throw unknownVersion(found.versions.length)
    return { id, version: number, content }
  }
  return database.read({ workspaceId }, async (db) => {
    const blueprint = await findBlueprint(db, workspaceId, id)
    if (blueprint === null)
      throw invalidField('/blueprint_id', 'is not a blueprint of this workspace', 'unknown_reference')
    if (version === undefined || version === blueprint.version)
      return { id, version: blueprint.version, content: blueprint.content }
    const older = await findBlueprintVersion(db, workspaceId, id, version)
    if (older === null) throw unknownVersion(blueprint.version)
    return { id, version, content: older.content }
  })
}

const unknownVersion = (current: number) =>
  invalidField(
    '/blueprint_version',
    `is not a version of the blueprint; the current one is ${current}`,
    'unknown_reference',
  )
