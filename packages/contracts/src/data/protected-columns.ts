import type { z } from 'zod'
import { boundedArray } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'

const maxProtectedColumns = 50

const columnNames = () =>
  boundedArray(
    text(200).refine((name) => name.trim() !== '', 'must not be blank'),
    maxProtectedColumns,
  ).optional()

const matching =
  'Names are compared without regard to case, spaces and punctuation, so that `User ID` is also `user_id`. A file, page or query result without one of these columns is refused, since it may have the values under another name'

/** The columns whose values are replaced or left out before anything of them is stored, for every provider. */
export const protectedColumns = {
  pseudonymize: columnNames().describe(
    `Columns whose values are replaced by pseudonyms before they are stored, indexed, embedded, logged or shown. The same value has the same pseudonym in every source of the workspace, and another one in any other workspace. White space around a value is ignored, and the number 17 is the text 17; 0017 is another value. Empty values stay empty. The columns are text. ${matching}. It can be changed only while the data source has no records`,
  ),
  drop: columnNames().describe(
    `Columns that are never stored: they are in no record, schema, search, key or error. ${matching}. It can be changed only while the data source has no records`,
  ),
}

/**
 * Returns the form in which names of protected columns are compared: compatibility characters folded (Unicode NFKC),
 * lower case, letters, marks and digits only. A name without any of these is compared as it is.
 */
export function columnMatchKey(name: string): string {
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  return letters === '' ? name.trim() : letters
}

/** The members of a config that name columns, of any provider. */
interface ColumnConfig {
  pseudonymize?: readonly string[] | undefined
  drop?: readonly string[] | undefined
  fields?: Readonly<Record<string, { type: string }>> | undefined
  since?: { field: string } | undefined
}

/** Fields that hold a value of each record, and so cannot be of a column that is dropped. */
const mappedFields = ['key', 'title_field', 'text_field', 'url_field', 'timestamp_field', 'cursor_field'] as const
/** Fields whose values are compared as times or saved as the position of a sync. */
const orderedFields: ReadonlySet<string> = new Set(['timestamp_field', 'cursor_field', 'since'])

/** Reports the members of a config that contradict its protected columns. */
export function checkProtectedColumns(config: ColumnConfig, context: z.core.$RefinementCtx): void {
  const dropped = new Set((config.drop ?? []).map(columnMatchKey))
  const replaced = new Set((config.pseudonymize ?? []).map(columnMatchKey))
  if (dropped.size === 0 && replaced.size === 0) return
  const addIssue = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })

  for (const [nth, name] of (config.drop ?? []).entries())
    if (replaced.has(columnMatchKey(name))) addIssue(['drop', nth], `"${name}" is in \`pseudonymize\` too`)

  const checkName = (member: string, path: (string | number)[], name: unknown) => {
    if (typeof name !== 'string') return
    const key = columnMatchKey(name)
    if (dropped.has(key)) addIssue(path, `names the column "${name}", which \`drop\` leaves out`)
    else if (replaced.has(key) && orderedFields.has(member))
      addIssue(path, `names the column "${name}", whose values \`pseudonymize\` replaces: pseudonyms have no order`)
  }
  for (const member of mappedFields) checkName(member, [member], Reflect.get(config, member))
  checkName('since', ['since', 'field'], config.since?.field)

  for (const [name, { type }] of Object.entries(config.fields ?? {})) {
    const key = columnMatchKey(name)
    if (dropped.has(key)) addIssue(['fields', name], `declares the column "${name}", which \`drop\` leaves out`)
    else if (replaced.has(key) && type !== 'string')
      addIssue(['fields', name, 'type'], 'must be `string`: the values of the column are replaced by pseudonyms')
  }
}
