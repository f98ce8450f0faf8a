import { ApiError } from '@wp/client/browser'
import { describeError } from '../../api/describe-error.ts'
import { Button } from '../../ui/button/button.tsx'
import { toSentence } from '../../ui/form/server-field-errors.ts'
import { formatBytes, formatCount, formatNumber } from '../../ui/format/format.ts'
import { isolate, withoutDirections } from '../../ui/format/untrusted-text.ts'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import { describeCounts } from '../shared/source-words.ts'
import { BadRows } from '../syncs/bad-rows.tsx'
import { ConnectionLost } from './send-upload.ts'
import styles from './uploads.module.css'
import { allowDeletions, dismissUpload, isActive, removeIfUnused, type Upload } from './uploads.ts'

/** The progress of an upload, its result, or what is to be decided. @param recordCount records of the source */
export const UploadStatus = ({ upload, recordCount }: { upload: Upload; recordCount?: number | undefined }) => (
  <>
    {isActive(upload) && <UploadProgress upload={upload} recordCount={recordCount} />}
    <div role="status" className={styles.status}>
      {upload.state === 'cancelled' && <p className="secondary">{describeCancelled(upload)}</p>}
      {upload.state === 'interrupted' && (
        <Callout tone="warning" title="The upload was interrupted">
          {formatBytes(upload.sentBytes)} of {formatBytes(upload.file.size)} were sent. {describeCause(upload.error)}{' '}
          Rows that are stored stay. “Continue” sends the file again; rows that are stored already are not duplicated.
        </Callout>
      )}
      {upload.state === 'finished' && <UploadResult upload={upload} />}
    </div>
    {upload.state === 'failed' && <UploadFailure upload={upload} />}
    {upload.removal === 'failed' && (
      <Callout tone="warning" title="The new source is still there, without the rows of the file">
        It could not be deleted.{' '}
        <Button size="small" onClick={() => void removeIfUnused(upload.id)}>
          Delete the source
        </Button>
      </Callout>
    )}
  </>
)

const describeCancelled = ({ removal }: Upload): string =>
  removal === 'done' ? 'Cancelled. Nothing was stored.' : 'Cancelled. Rows that were stored before stay.'

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

function UploadResult({ upload }: { upload: Upload }) {
  const { file, summary } = upload
  if (summary === undefined) return null
  const { counts, badRows, warnings } = summary
  const isPartial = counts.failed > 0 || warnings.length > 0
  return (
    <div className="stack-3">
      <Callout tone={isPartial ? 'warning' : 'success'} title={`Uploaded ${formatBytes(file.size)}`}>
        {describeCounts(counts)}
        {warnings.map((warning) => (
          <div key={warning}>{withoutDirections(warning)}</div>
        ))}
      </Callout>
      <BadRows rows={badRows} total={counts.failed} />
    </div>
  )
}

function UploadFailure({ upload }: { upload: Upload }) {
  const { error, removal } = upload
  if (error instanceof ApiError && error.code === 'too_many_deletions')
    return <DeletionQuestion upload={upload} error={error} />
  return (
    <>
      <ErrorMessage error={error} />
      {removal === 'done' && <p className="secondary">Nothing was stored, and no source was left behind.</p>}
    </>
  )
}

/** Asks before a file replaces far more records than it contains. */
function DeletionQuestion({ upload: { id, file }, error }: { upload: Upload; error: ApiError }) {
  const { deletions, records } = error.body
  const isCounted = typeof deletions === 'number' && typeof records === 'number'
  const title = isCounted
    ? `Delete ${formatNumber(deletions)} of ${formatCount(records, 'record')}?`
    : 'Delete most of the records?'
  return (
    <div role="alert">
      <Callout tone="danger" title={title}>
        <p>
          You chose to replace all records, and {isolate(file.name)} does not contain{' '}
          {isCounted ? `${formatNumber(deletions)} of those that are stored` : 'most of those that are stored'}. Nothing
          has been deleted yet. If the file is not complete, keep the records.
        </p>
        <div className={styles.decision}>
          <Button size="small" onClick={() => dismissUpload(id)}>
            Keep all records
          </Button>
          <Button size="small" variant="danger" onClick={() => allowDeletions(id)}>
            {isCounted ? `Delete ${formatCount(deletions, 'record')}` : 'Delete them'}
          </Button>
        </div>
      </Callout>
    </div>
  )
}
