import type { Query, Row } from '@wp/database'
import type { DataRecord } from '#db'
import { hideFromPlanner } from './hide-from-planner.ts'

/** Identifies a document by its source and its number in the index of the source. */
export interface DocumentKey {
  dataSourceId: string
  document: number
}

/** Returns the columns of keys, as parameters of a statement. */
export const keyColumns = (keys: readonly DocumentKey[]) => [
  keys.map(({ dataSourceId }) => dataSourceId),
  keys.map(({ document }) => document),
]

/** The proximity boost considers this many characters of a text. */
const maxBoostTextLength = 4_096

export interface DocumentText extends Row<DataRecord, 'title' | 'text'> {
  /** Index of the document in `keys`. */
  position: number
}

/** Reads the title and the first 4,096 characters of the text of documents. Deleted documents are left out. */
export function readDocumentTexts(
  query: Query,
  workspaceId: string,
  keys: readonly DocumentKey[],
): Promise<DocumentText[]> {
  return query<DocumentText>(
    `SELECT (nth - 1)::integer AS position, title, text
       FROM unnest(${['$2::text[]', '$3::integer[]'].map(hideFromPlanner)}) WITH ORDINALITY AS given (source, number, nth)
      CROSS JOIN LATERAL (
        SELECT title, left(text, ${maxBoostTextLength}) AS text FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND document = number LIMIT 1
      ) AS found`,
    [workspaceId, ...keyColumns(keys)],
    'read_document_texts',
  )
}

/** A part of a text, in characters (code points) from 0. */
export interface TextSpan {
  start: number
  length: number
}
