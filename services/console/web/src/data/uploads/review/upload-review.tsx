import type { SourceFormat } from '@wp/contracts'
import { useState } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { FormActions } from '../../../ui/form/field.tsx'
import { formatBytes, formatCount } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { Skeleton } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import { FormatQuestions } from './format-questions.tsx'
import { isAmbiguous, useOtherFiles, usePreview } from './preview/use-preview.ts'
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
  const compared = useOtherFiles(chosen, preview, corrections)
  // The format of a source decides about all files that are uploaded to it.
  const others = sourceId === undefined ? compared.others : { alike: chosen.files.slice(1), different: [] }
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
        preview={preview}
        others={others}
        corrections={corrections}
        isFormatChanged={isFormatChanged}
        isLoading={isLoading}
        undo={undo}
        readError={error ?? compared.error}
        headingRef={heading}
        onCorrect={correct}
        onRetry={error === null ? compared.retry : retry}
        onAccept={(next) =>
          onUpload({
            next,
            files: [chosen.files[0], ...(others?.alike ?? [])],
            later: others?.different ?? [],
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
        onUploadUnseen={() => onUpload({ files: chosen.files, later: [], isDocument: false, isFormatChanged: false })}
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

/** Documents, which have no columns: each becomes one record. */
function DocumentReview({ chosen, renderFields, uploadError, isBusy, onCancel, onUpload }: UploadReviewProps) {
  const heading = useFocusOnChange(true)
  const { files } = chosen
  return (
    <Card
      title={formatCount(files.length, 'document')}
      description="Each document becomes one record, which search finds by its words. A newer version of a file replaces the one before."
      headingRef={heading}
    >
      <Stack>
        <ul>
          {files.map(({ name, size, lastModified }) => (
            <li key={`${name} ${size} ${lastModified}`}>
              {name} ({formatBytes(size)})
            </li>
          ))}
        </ul>
        {renderFields([], false)}
        {uploadError}
        <FormActions>
          <Button
            variant="primary"
            isBusy={isBusy}
            onClick={() => onUpload({ files, later: [], isDocument: true, isFormatChanged: false })}
          >
            Upload {formatCount(files.length, 'document')}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </FormActions>
      </Stack>
    </Card>
  )
}
