import type { SourceFormat } from '@wp/contracts'
import type { ReactNode, Ref } from 'react'
import type { ChosenFiles, Preview } from './preview/preview-values.ts'

/** The page that an upload leads to: buildings, a forecast, or that of the source. */
export type NextStep = 'utilization' | 'buildings' | 'teams' | 'forecast'

/** The reading of files that a person has accepted. */
export interface AcceptedReading {
  /** The files that are read in this way. */
  files: readonly File[]
  /** Chosen files with other columns, which are reviewed next. */
  later: readonly File[]
  isDocument: boolean
  /** The whole format; undefined for documents, and for files that cannot be previewed. */
  format?: SourceFormat
  /** The person chose something else than the format of the source. */
  isFormatChanged: boolean
  suggestions?: Preview['suggestions']
  next?: NextStep | undefined
}

export interface UploadReviewProps {
  chosen: ChosenFiles
  /** The source to upload to; undefined for a new one. */
  sourceId?: string
  /**
   * Fields above the buttons.
   * @param columns names of the columns; none of documents
   * @param isFormatChanged the person chose something else than the format of the source
   */
  renderFields: (columns: readonly string[], isFormatChanged: boolean) => ReactNode
  /** The use of the rows, above the way they are read. */
  renderUse?: (preview: Preview, headingRef: Ref<HTMLHeadingElement>) => ReactNode
  /** The steps after the upload that the file allows, the likeliest first. */
  nextSteps?: (preview: Preview) => readonly NextStep[]
  onCancel: () => void
  onUpload: (accepted: AcceptedReading) => void
  isBusy: boolean
  /** Why the upload failed. */
  uploadError?: ReactNode
}
