/** The columns of a record that are derived from its row by the config of its source. */
export interface DerivedFields {
  title: string | null
  url: string | null
  text: string | null
}

/** A record to insert or update, identified by its key within the source. */
export interface RecordInput extends DerivedFields {
  key: string
  /** The row as JSON text. */
  json: string
  /** Name of the part of the source that holds the row; absent if the source has no parts. */
  part?: string
}
