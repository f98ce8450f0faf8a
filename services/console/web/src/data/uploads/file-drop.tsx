import { useState } from 'react'
import { DropZone } from '../../ui/form/drop-zone.tsx'
import { Callout } from '../../ui/message/callout.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { acceptedFiles, fileTypeOf } from './file-types.ts'
import styles from './uploads.module.css'

/** Takes files that can be uploaded, and says which of them cannot. */
export function FileDrop({
  onFiles,
  isBusy = false,
  isCompact = false,
}: {
  onFiles: (files: readonly File[]) => void
  isBusy?: boolean
  isCompact?: boolean
}) {
  const [refused, setRefused] = useState<readonly string[]>([])
  const take = (files: readonly File[]) => {
    if (isBusy) return
    const { usable = [], other = [] } = Object.groupBy(files, ({ name }) => (fileTypeOf(name) ? 'usable' : 'other'))
    setRefused(other.map(({ name }) => name))
    if (usable.length > 0) onFiles(usable)
  }
  return (
    <Stack>
      <DropZone
        label="Drop CSV, JSON, text, Markdown or HTML files here"
        accept={acceptedFiles}
        isMultiple
        isCompact={isCompact}
        onFiles={take}
      />
      <div role="status" className={styles.status}>
        {refused.length > 0 && (
          <Callout tone="warning" title={`Not uploaded: ${refused.join(', ')}`}>
            Files are uploaded if they end with {acceptedFiles.replaceAll(',', ', ')}. Save a spreadsheet as CSV first.
          </Callout>
        )}
      </div>
    </Stack>
  )
}
