import { isDeepStrictEqual } from 'node:util'
import type { VersionChange } from '@wp/contracts'
import type { AgentContent } from '../store/agents/agent-versions.ts'
import type { VersionContent } from '../store/version-content.ts'

type Content = VersionContent | AgentContent

/** Returns the differences of two versions, by the field names of the API. */
export function versionChanges(before: Content, after: Content): VersionChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to))
}

/**
 * Returns the fields of a version. Settings of the model are fields of their own, so that a change names only these.
 */
function fieldsOf(content: Content): Map<string, unknown> {
  const { name, description, instructions, model, tools, inputSchema } = content
  const settings = Object.entries(model).map(([setting, value]) => [`model.${setting}`, value] as const)
  const fields = new Map<string, unknown>([
    ...Object.entries({ name, description, instructions }),
    ...settings,
    ...Object.entries({ tools, input_schema: inputSchema }),
  ])
  if (!('dataSourceIds' in content)) return fields
  return fields
    .set('data_source_ids', content.dataSourceIds)
    .set('blueprint_id', content.blueprintId)
    .set('blueprint_version', content.blueprintVersion)
}
