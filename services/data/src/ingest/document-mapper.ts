import type { DocumentMapper } from '../parsers/document/document.ts'
import type { FieldMapping } from './record-input.ts'

/** Properties of a document that its request or source gives; they override those in its content. */
interface DocumentMetadata {
  key?: string | undefined
  title?: string | undefined
  url?: string | undefined
}

/** Maps a document to the fields the config names; by default `title`, `text`, `url` and `key`. */
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
