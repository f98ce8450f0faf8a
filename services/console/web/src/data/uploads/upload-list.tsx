import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from '../../api/session-state.ts'
import { Button } from '../../ui/button/button.tsx'
import { dataKey } from '../shared/queries.ts'
import { UploadStatus } from './upload-status.tsx'
import styles from './uploads.module.css'
import { cancelUpload, continueUpload, dismissUpload, isActive, type Upload, uploads } from './uploads.ts'

/** Returns the uploads to a source, and reads its data again when one ends. */
export function useSourceUploads(workspaceId: string, sourceId: string | undefined): readonly Upload[] {
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
    <ul className="stack-3" aria-label="Uploads">
      {list.map((upload) => (
        <li key={upload.id} className={styles.upload}>
          <div className={styles.head}>
            <strong>{upload.file.name}</strong>
            <UploadActions upload={upload} />
          </div>
          <UploadStatus upload={upload} recordCount={recordCount} />
        </li>
      ))}
    </ul>
  )
}

function UploadActions({ upload }: { upload: Upload }) {
  const { id, state, isNewSource, removal } = upload
  const isInterrupted = state === 'interrupted'
  return (
    <span className="row-2">
      {(isInterrupted || (state === 'failed' && removal === undefined)) && (
        <Button size="small" onClick={() => continueUpload(id)}>
          {isInterrupted ? 'Continue' : 'Try again'}
        </Button>
      )}
      {isActive(upload) || (isInterrupted && isNewSource) ? (
        <Button size="small" onClick={() => void cancelUpload(id)}>
          Cancel
        </Button>
      ) : (
        <Button size="small" variant="quiet" onClick={() => dismissUpload(id)}>
          Dismiss
        </Button>
      )}
    </span>
  )
}
