import { agents } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import { contentView, versionChanges } from '../agents/agent-view.ts'
import type { BlueprintVersion } from '../store/blueprints/blueprint-versions.ts'
import type { Blueprint } from '../store/blueprints/blueprints.ts'
import type { VersionPair } from '../store/version-content.ts'
import type { BuiltInBlueprint } from './built-in.ts'

type BlueprintView = z.input<typeof agents.getBlueprint.ok>
type VersionView = z.input<typeof agents.listBlueprintVersions.list>

export const blueprintView = (blueprint: Blueprint): BlueprintView =>
  viewOf(agents.getBlueprint.ok, blueprint, { ...contentView(blueprint.content), built_in: false })

export function builtInView(blueprint: BuiltInBlueprint): BlueprintView {
  const { id, versions } = blueprint
  const [first] = versions
  const current = versions.at(-1)
  if (first === undefined || current === undefined) throw new Error(`the blueprint ${id} has no version`)
  return {
    id,
    version: versions.length,
    ...contentView(current.content),
    built_in: true,
    metadata: {},
    external_id: null,
    created_at: first.createdAt.toISOString(),
    updated_at: current.createdAt.toISOString(),
  }
}

export const blueprintVersionView = (id: string, { version, before }: VersionPair<BlueprintVersion>): VersionView =>
  viewOf(agents.listBlueprintVersions.list, version, {
    id,
    ...contentView(version.content),
    changes: before === undefined ? [] : versionChanges(before.content, version.content),
  })
