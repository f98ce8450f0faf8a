import { converterFor, declaredFieldsOf } from '../../../schema/declared-fields.ts'
import { decodeVector } from '../../../store/embeddings/chunk-vectors.ts'
import { listSymbolicWords, separateLetters } from '../../../store/search/text/unspaced-text.ts'
import type { RecordToIndex } from '../../../store/search-feed/records-to-index.ts'
import { type DeclaredTimes, termsOfRow } from './field-terms.ts'
import { textFields, vectorField } from './index-definition.ts'

/** A document of the search engine: fields as in the mapping of index-definition.ts. */
export type SearchDocument = Readonly<Record<string, unknown>>

/** Returns the document of a record. */
export function toSearchDocument(record: RecordToIndex): SearchDocument {
  const { workspaceId, dataSourceId, recordId, title, text, language, data, declarations, space, chunks } = record
  const { values, facets } = termsOfRow(workspaceId, data, declaredTimesOf(declarations))
  const names = textFields(language)
  return {
    workspace_id: workspaceId,
    data_source_id: dataSourceId,
    record_id: recordId,
    [names.title]: toEngineText(title),
    [names.text]: toEngineText(text),
    spellings: [title, text].flatMap((part) => (part === null ? [] : listSymbolicWords(part))),
    values,
    facets,
    ...(space !== null && chunks.length > 0 && { space, chunks: chunks.map(toChunk) }),
  }
}

function toChunk({ start, length, vector }: RecordToIndex['chunks'][number]) {
  const numbers = decodeVector(Buffer.from(vector, 'base64'))
  return { start, length, [vectorField(numbers.length)]: Array.from(numbers) }
}

/**
 * Separates letters that are written without spaces, and removes the private-use characters that mark words and stand
 * for others in highlights.
 */
const toEngineText = (text: string | null): string | null =>
  text === null ? null : separateLetters(text.replaceAll(/[\ue000-\ue008]/g, ''))

/** Returns the converters of declared timestamps: of the others, the term of UTC says the same. */
function declaredTimesOf(declarations: RecordToIndex['declarations']): DeclaredTimes {
  const declared = [...declaredFieldsOf(declarations)].filter(([, { type }]) => type === 'timestamp')
  return new Map(declared.map(([name, field]) => [name, converterFor(field)]))
}
