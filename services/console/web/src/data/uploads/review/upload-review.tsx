import type { SourceFormat } from '@wp/contracts'
import { useState } from 'react'
import { isolate } from '../../../ui/format/isolate.ts'
import { Skeleton } from '../../../ui/message/skeleton.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { DocumentReview } from './document-review.tsx'
import { FormatQuestions } from './format-questions.tsx'
import { isAmbiguous, usePreview } from './preview/use-preview.ts'
import { RefusedFile } from './refused-file.tsx'
import type { UploadReviewProps } from './review-props.ts'
import { acceptedFormat, mergeFormats } from './source-format.ts'
import { TableReview } from './table-review.tsx'
import { useFocusOnChange } from './use-focus-on-change.ts'

/** Shows how files will be read, lets it be corrected, and asks before anything is stored. */
export function UploadReview(props: UploadReviewProps) {
  const { chosen, onCancel } = props
  const [isDocument, setDocument] = useState(chosen.isDocument)
  if (isDocument) return <DocumentReview {...props} />
  return <RowsReview {...props} onStoreAsDocument={() => setDocument(true)} onCancel={onCancel} />
}

function RowsReview(props: UploadReviewProps & { onStoreAsDocument: () => void }) {
  const { chosen, sourceId, onCancel, onUpload } = props
  const [history, setHistory] = useState<readonly SourceFormat[]>([{}])
  const [isDetached, setDetached] = useState(false)
  const corrections = history.at(-1) ?? {}
  const { preview, error, isLoading, retry } = usePreview(chosen, corrections, isDetached ? undefined : sourceId)
  const isFormatChanged = isDetached || history.length > 1
  const correct = (next: SourceFormat) => setHistory([...history, next])
  const undo = history.length > 1 ? () => setHistory(history.slice(0, -1)) : undefined
  const state = isAmbiguous(error)
    ? 'question'
    : preview !== undefined
      ? 'table'
      : error !== null
        ? 'refused'
        : 'loading'
  const heading = useFocusOnChange(state !== 'loading' && state)

  if (isAmbiguous(error))
    return (
      <FormatQuestions
        error={error}
        headingRef={heading}
        onAnswer={(answer) => correct(mergeFormats(corrections, answer))}
        onCancel={undo ?? onCancel}
      />
    )
  if (preview !== undefined)
    return (
      <TableReview
        {...props}
        {...{ preview, corrections, isFormatChanged, isLoading, undo }}
        readError={error}
        headingRef={heading}
        onCorrect={correct}
        onRetry={retry}
        onAccept={() =>
          onUpload({
            isDocument: false,
            format: acceptedFormat(preview, corrections),
            isFormatChanged,
            suggestions: preview.suggestions,
          })
        }
      />
    )
  if (error !== null)
    return (
      <RefusedFile
        {...props}
        error={error}
        headingRef={heading}
        onRetry={retry}
        onIgnoreSourceFormat={sourceId === undefined || isDetached ? undefined : () => setDetached(true)}
        onUploadUnseen={() => onUpload({ isDocument: false, isFormatChanged: false })}
      />
    )
  return (
    <Card title={`Reading ${isolate(chosen.files[0].name)}`}>
      <div role="status">
        <span className="visually-hidden">Reading the file</span>
        <Skeleton height="16rem" />
      </div>
    </Card>
  )
}
