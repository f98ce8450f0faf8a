/** One changed field of an audit record. A missing member is not known from the record. */
export interface FieldChange {
  field: string
  before?: unknown
  after?: unknown
}

const beforeSuffix = '_before'

/**
 * Returns the changes of an audit record by field. Services record new values under the name of the field, an old value
 * under `<field>_before`, and changes of versions as `{field, from, to}`.
 */
export function describeChanges(changes: Readonly<Record<string, unknown>> | null): FieldChange[] {
  const members = Object.entries(changes ?? {})
  const names = new Set(members.map(([name]) => name))
  return members.flatMap(([name, value]): FieldChange[] => {
    const field = name.endsWith(beforeSuffix) ? name.slice(0, -beforeSuffix.length) : undefined
    if (field !== undefined && field !== '') return names.has(field) ? [] : [{ field, before: value }]
    const versions = readVersionChanges(value)
    if (versions !== undefined) return versions
    const old = name + beforeSuffix
    return [{ field: name, ...(names.has(old) && { before: changes?.[old] }), after: value }]
  })
}

function readVersionChanges(value: unknown): FieldChange[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const changes = value.map(readVersionChange)
  return changes.every((change) => change !== undefined) ? changes : undefined
}

function readVersionChange(value: unknown): FieldChange | undefined {
  if (typeof value !== 'object' || value === null || !('field' in value) || !('from' in value) || !('to' in value))
    return undefined
  return typeof value.field === 'string' ? { field: value.field, before: value.from, after: value.to } : undefined
}

/** Formats a value of a change: texts as they are, others as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')
