import { Button } from '../../../ui/button/button.tsx'
import { FormActions } from '../../../ui/form/field.tsx'
import { formatBytes, formatCount } from '../../../ui/format/format.ts'
import { Card, Stack } from '../../../ui/page/page.tsx'
import type { UploadReviewProps } from './review-props.ts'
import { useFocusOnChange } from './use-focus-on-change.ts'

/** Documents, which have no columns: each becomes one record. */
export function DocumentReview({ chosen, renderFields, uploadError, isBusy, onCancel, onUpload }: UploadReviewProps) {
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
            onClick={() => onUpload({ isDocument: true, isFormatChanged: false })}
          >
            Upload {formatCount(files.length, 'document')}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </FormActions>
      </Stack>
    </Card>
  )
}
