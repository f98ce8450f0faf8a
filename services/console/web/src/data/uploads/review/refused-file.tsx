import { ApiError } from '@wp/client/browser'
import type { ReactNode, Ref } from 'react'
import { Button } from '../../../ui/button/button.tsx'
import { FormActions } from '../../../ui/form/field.tsx'
import { toSentence } from '../../../ui/form/server-field-errors.ts'
import { formatBytes } from '../../../ui/format/format.ts'
import { isolate, withoutDirections } from '../../../ui/format/untrusted-text.ts'
import { Callout, ErrorMessage } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import { fileTypeOf } from '../file-types.ts'
import { TooLargeToPreview } from './preview/use-preview.ts'
import { FileUnreadable, maxPreviewBytes } from './read-beginning.ts'
import type { UploadReviewProps } from './review-props.ts'

interface RefusedFileProps extends UploadReviewProps {
  error: Error
  headingRef: Ref<HTMLHeadingElement>
  onRetry: () => void
  onStoreAsDocument: () => void
  /** Reads the file without the format of the source. */
  onIgnoreSourceFormat: (() => void) | undefined
  onUploadUnseen: () => void
}

/** A file of which there is no preview: the reason, and what the person can do. Nothing has been stored. */
export function RefusedFile(props: RefusedFileProps) {
  const { chosen, error, headingRef, onRetry, onCancel, onIgnoreSourceFormat, onStoreAsDocument } = props
  const name = isolate(chosen.files[0].name)
  if (error instanceof TooLargeToPreview) return <UnseenFile {...props} />
  if (error instanceof FileUnreadable)
    return (
      <Refusal title={`${name} cannot be opened`} headingRef={headingRef} onCancel={onCancel}>
        <Callout tone="danger">The file was moved, changed or removed after you chose it. Choose it again.</Callout>
      </Refusal>
    )
  const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429
  const isUnreadable = error instanceof ApiError && unreadableCodes.has(error.code)
  return (
    <Refusal
      title={`${name} cannot be read`}
      headingRef={headingRef}
      onCancel={onCancel}
      actions={
        <>
          {isRefused && onIgnoreSourceFormat && (
            <Button onClick={onIgnoreSourceFormat}>Read it in its own format</Button>
          )}
          {isRefused && fileTypeOf(chosen.files[0].name)?.content === 'either' && (
            <Button onClick={onStoreAsDocument}>Store it as a document</Button>
          )}
        </>
      }
    >
      {isUnreadable ? (
        <div role="alert">
          <Callout tone="danger" title={withoutDirections(toSentence(error.message))}>
            Nothing was stored. Open the file to see what it contains, or export it again, then choose it once more.
          </Callout>
        </div>
      ) : (
        <ErrorMessage error={error} {...(!isRefused && { onRetry })} />
      )}
    </Refusal>
  )
}

/** Codes of errors that the content of a file causes. Their details say what is wrong with it. */
const unreadableCodes: ReadonlySet<string> = new Set([
  ...['unexpected_format', 'malformed_body', 'unsupported_media_type', 'payload_too_large'],
])

function Refusal({
  title,
  headingRef,
  onCancel,
  actions,
  children,
}: {
  title: string
  headingRef: Ref<HTMLHeadingElement>
  onCancel: () => void
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Card title={title} headingRef={headingRef}>
      <Stack>
        {children}
        <FormActions>
          <Button variant="primary" onClick={onCancel}>
            Choose another file
          </Button>
          {actions}
        </FormActions>
      </Stack>
    </Card>
  )
}

function UnseenFile({
  chosen,
  headingRef,
  renderFields,
  uploadError,
  onCancel,
  onUploadUnseen,
  isBusy,
}: RefusedFileProps) {
  const [file] = chosen.files
  return (
    <Card title="This file is too large for a preview" headingRef={headingRef}>
      <Stack>
        <p>
          {isolate(file.name)} has {formatBytes(file.size)}; workbooks and compressed files are shown before the upload
          up to {formatBytes(maxPreviewBytes)}. It can be uploaded all the same: it is recognized then, and refused if
          its values can be read in two ways. Rows that cannot be read are listed after the upload.
        </p>
        {renderFields([], false)}
        {uploadError}
        <FormActions>
          <Button variant="primary" isBusy={isBusy} onClick={onUploadUnseen}>
            Upload without a preview
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </FormActions>
      </Stack>
    </Card>
  )
}
