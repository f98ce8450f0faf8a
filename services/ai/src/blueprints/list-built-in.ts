import type { Page } from '@wp/contracts'
import { decodeCursor } from '@wp/database'
import type { BlueprintVersion } from '../store/blueprints/blueprint-versions.ts'
import { beforeVersion, pairVersions, type VersionPage, type VersionPair } from '../store/version-pages.ts'
import { type BuiltInBlueprint, builtInBlueprints, findBuiltIn } from './built-in.ts'

interface Filter {
  name?: string | undefined
  /** Part of the name. */
  search?: string | undefined
  built_in?: boolean | undefined
  external_id?: string | undefined
  metadata?: Readonly<Record<string, string>> | undefined
}

/** Returns the built-in blueprints that match a filter. They have neither an external id nor metadata. */
export function matchBuiltIn(filter: Filter): readonly BuiltInBlueprint[] {
  const { name, search = '', built_in, external_id, metadata = {} } = filter
  if (built_in === false || external_id !== undefined || Object.keys(metadata).length > 0) return []
  return builtInBlueprints.filter(({ versions }) => {
    const ownName = versions.at(-1)?.content.name ?? ''
    return (name === undefined || ownName === name) && ownName.toLowerCase().includes(search.toLowerCase())
  })
}

/**
 * Returns the built-in blueprint that a cursor of the list points to; undefined if it points to one of the workspace.
 */
export const builtInAtCursor = (cursor: string | undefined): BuiltInBlueprint | undefined =>
  cursor === undefined ? undefined : findBuiltIn(decodeCursor(cursor).id)

/** Returns one page of the versions of a built-in blueprint, newest first. */
export function listBuiltInVersions(
  { versions }: BuiltInBlueprint,
  page: VersionPage,
): Page<VersionPair<BlueprintVersion>> {
  const limit = beforeVersion(page).version?.lt ?? Number.POSITIVE_INFINITY
  const rows = versions
    .map(({ content, createdAt }, position) => ({ version: position + 1, content, createdAt, createdBy: null }))
    .filter(({ version }) => version < limit)
    .toReversed()
  return pairVersions(rows.slice(0, page.limit + 1), page)
}
