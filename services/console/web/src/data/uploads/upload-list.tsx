import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { describeError } from '../../api/describe-error.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button/button.tsx'
import { Progress } from '../../ui/data/progress.tsx'
import { toSentence } from '../../ui/form/server-field-errors.ts'
import { formatBytes, formatNumber } from '../../ui/format/format.ts'
import { Callout } from '../../ui/message/callout.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { describeCounts } from '../shared/describe-counts.ts'
import { dataKey } from '../shared/queries.ts'
import { BadRows } from '../syncs/bad-rows.tsx'
import { ConnectionLost } from './send-upload.ts'
import styles from './uploads.module.css'
import { cancelUpload, continueUpload, dismissUpload, isActive, type Upload, uploads } from './uploads.ts'

/** Returns the uploads to a source, and reads its data again when one ends. */
export function useSourceUploads(workspaceId: string, sourceId: string): readonly Upload[] {
  const client = useQueryClient()
  const own = useStore(uploads).filter((upload) => upload.sourceId === sourceId)
  const ended = own.filter((upload) => !isActive(upload)).length
  useEffect(() => {
    if (ended > 0) void client.invalidateQueries({ queryKey: dataKey(workspaceId) })
  }, [ended, client, workspaceId])
  return own
}

/** The uploads to a source with their progress and results. @param recordCount records of the source, as last read */
export function UploadList({ list, recordCount }: { list: readonly Upload[]; recordCount: number | undefined }) {
  if (list.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Uploads">
      {list.map((upload) => (
        <li key={upload.id} className={styles.upload}>
          <div className={styles.head}>
            <strong>{upload.file.name}</strong>
            <span className={styles.actions}>
              {(upload.state === 'interrupted' || upload.state === 'failed') && (
                <Button size="small" onClick={() => continueUpload(upload.id)}>
                  {upload.state === 'interrupted' ? 'Continue' : 'Try again'}
                </Button>
              )}
              {isActive(upload) ? (
                <Button size="small" onClick={() => cancelUpload(upload.id)}>
                  Cancel
                </Button>
              ) : (
                <Button size="small" variant="quiet" onClick={() => dismissUpload(upload.id)}>
                  Dismiss
                </Button>
              )}
            </span>
          </div>
          <UploadStatus upload={upload} recordCount={recordCount} />
        </li>
      ))}
    </ul>
  )
}

const UploadStatus = ({ upload, recordCount }: { upload: Upload; recordCount: number | undefined }) => (
  <>
    {isActive(upload) && <UploadProgress upload={upload} recordCount={recordCount} />}
    <div role="status" className={styles.status}>
      {upload.state === 'cancelled' && <p className={styles.note}>Cancelled. Rows that were stored before stay.</p>}
      {upload.state === 'interrupted' && (
        <Callout tone="warning" title="The upload was interrupted">
          {formatBytes(upload.sentBytes)} of {formatBytes(upload.file.size)} were sent. {describeCause(upload.error)}{' '}
          Rows that are stored stay. “Continue” sends the file again; rows that are stored already are not duplicated.
        </Callout>
      )}
      {upload.state === 'finished' && <UploadResult upload={upload} />}
    </div>
    {upload.state === 'failed' && <ErrorMessage error={upload.error} />}
  </>
)

/** Says why an upload was interrupted, as a sentence. */
const describeCause = (error: unknown): string =>
  error instanceof ConnectionLost ? 'Then the connection was lost.' : toSentence(describeError(error).detail ?? '')

function UploadProgress({
  upload: { state, sentBytes, file },
  recordCount,
}: {
  upload: Upload
  recordCount: number | undefined
}) {
  const labels = { waiting: 'Waiting', sending: 'Uploading', storing: 'Storing the last rows' }
  const label = state === 'waiting' || state === 'sending' || state === 'storing' ? labels[state] : ''
  const records = recordCount === undefined ? '' : ` · ${formatNumber(recordCount)} records in the source`
  return (
    <Progress
      label={label}
      value={file.size === 0 ? 1 : sentBytes / file.size}
      text={`${formatBytes(Math.min(sentBytes, file.size))} of ${formatBytes(file.size)}${records}`}
    />
  )
}

function UploadResult({ upload: { file, summary } }: { upload: Upload }) {
  if (summary === undefined) return null
  const { counts, badRows, warnings } = summary
  return (
    <div className={styles.result}>
      <Callout tone={counts.failed > 0 ? 'warning' : 'success'} title={`Uploaded ${formatBytes(file.size)}`}>
        {describeCounts(counts)}
        {warnings.map((warning) => (
          <div key={warning}>{warning}</div>
        ))}
      </Callout>
      <BadRows rows={badRows} total={counts.failed} />
    </div>
  )
}
