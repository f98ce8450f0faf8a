import type { DocumentRow } from '../rows/document.ts'
import type { FieldRoles } from './draft.ts'

/** What else is known of a document than what it says. */
interface Known {
  key?: string | undefined
  title?: string | undefined
  url?: string | undefined
}

/** Puts what a document says where the config looks for it: `title`, `text`, `url` and `key` where it names no field. */
export function documentRows(roles: FieldRoles, known: Known = {}): DocumentRow {
  return ({ title, text, url, headings }) => {
    const members: [string, unknown][] = [
      [roles.text_field || 'text', text],
      ['headings', headings === undefined || headings.length === 0 ? undefined : headings],
      [roles.url_field || 'url', known.url ?? url],
      [roles.title_field || 'title', known.title ?? title],
      [roles.key || 'key', known.key],
    ]
    return Object.fromEntries(members.filter(([, value]) => value !== undefined).reverse())
  }
}
