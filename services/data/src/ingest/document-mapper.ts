import type { DocumentMapper } from '../parsers/document/document.ts'
import type { FieldMapping } from './record-input.ts'

/** What else is known of a document than what it says. */
interface DocumentMetadata {
  key?: string | undefined
  title?: string | undefined
  url?: string | undefined
}

/** Puts what a document says where the config looks for it: `title`, `text`, `url` and `key` where it names no field. */
export function createDocumentMapper(mapping: FieldMapping, metadata: DocumentMetadata = {}): DocumentMapper {
  return ({ title, text, url, headings }) => {
    const members: [string, unknown][] = [
      [mapping.text_field || 'text', text],
      ['headings', headings === undefined || headings.length === 0 ? undefined : headings],
      [mapping.url_field || 'url', metadata.url ?? url],
      [mapping.title_field || 'title', metadata.title ?? title],
      [mapping.key || 'key', metadata.key],
    ]
    return Object.fromEntries(members.filter(([, value]) => value !== undefined).reverse())
  }
}
