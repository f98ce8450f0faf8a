import { useId, useState } from 'react'
import { Checkbox, Select } from '../../ui/form/controls.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { FileDrop } from './file-drop.tsx'
import styles from './uploads.module.css'
import { startUploads } from './uploads.ts'

const charsets = [
  { value: '', label: 'UTF-8, or as the file states' },
  { value: 'windows-1252', label: 'Windows-1252 (Western Europe)' },
  { value: 'windows-1250', label: 'Windows-1250 (Central Europe)' },
  { value: 'windows-1251', label: 'Windows-1251 (Cyrillic)' },
  { value: 'shift_jis', label: 'Shift JIS (Japanese)' },
  { value: 'gb18030', label: 'GB 18030 (Chinese)' },
]

/** Uploads files to an upload source. */
export function UploadCard({ workspaceId, sourceId }: { workspaceId: string; sourceId: string }) {
  const id = useId()
  const [isFull, setFull] = useState(false)
  const [charset, setCharset] = useState('')
  const start = (files: readonly File[]) =>
    startUploads(
      {
        workspaceId,
        sourceId,
        // Each of several files would delete the records of the one before.
        mode: isFull && files.length === 1 ? 'full' : 'incremental',
        ...(charset !== '' && { charset }),
      },
      files,
    )
  return (
    <Card title="Upload files">
      <Stack>
        <FileDrop onFiles={start} isCompact />
        <div className={styles.options}>
          <Checkbox
            label="Replace all records"
            hint="Records that the file does not contain are deleted. For one file at a time."
            checked={isFull}
            onChange={(event) => setFull(event.target.checked)}
          />
          <div className={styles.charset}>
            <label htmlFor={id}>Characters</label>
            <Select id={id} value={charset} onChange={(event) => setCharset(event.target.value)} options={charsets} />
          </div>
        </div>
      </Stack>
    </Card>
  )
}
