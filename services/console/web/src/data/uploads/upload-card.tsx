import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Checkbox } from '../../ui/form/controls.tsx'
import { mergePatch } from '../../ui/form/merge-patch.ts'
import { Callout } from '../../ui/message/callout.tsx'
import { ErrorMessage } from '../../ui/message/error-message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { type Source, sourceKey } from '../shared/queries.ts'
import { FileDrop } from './file-drop.tsx'
import type { ChosenFiles } from './review/preview/preview.ts'
import type { AcceptedReading } from './review/review-props.ts'
import { UploadReview } from './review/upload-review.tsx'
import { startUploads } from './uploads.ts'

/** Uploads files to an upload source. They are reviewed first, read with the format of the source. */
export function UploadCard({ source }: { source: Source }) {
  const [chosen, setChosen] = useState<ChosenFiles>()
  if (chosen !== undefined)
    return <SourceUpload key={chosen.id} source={source} chosen={chosen} onEnd={() => setChosen(undefined)} />
  return (
    <Card title="Upload files">
      <FileDrop onChoose={setChosen} isCompact />
    </Card>
  )
}

function SourceUpload({ source, chosen, onEnd }: { source: Source; chosen: ChosenFiles; onEnd: () => void }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const client = useQueryClient()
  const [isFull, setFull] = useState(false)
  const sourceId = source.data_source_id
  const start = useMutation({
    mutationFn: async ({ format, isFormatChanged }: AcceptedReading) => {
      if (format === undefined || !isFormatChanged) return
      const config = mergePatch(source.config, { ...source.config, format })
      await api.data.updateSource({ params: { data_source_id: sourceId }, body: { config } })
      await client.invalidateQueries({ queryKey: sourceKey(workspaceId, sourceId) })
    },
    onSuccess: (_, { isDocument, suggestions }) => {
      const mode = isFull ? 'full' : 'incremental'
      startUploads({ workspaceId, sourceId, isNewSource: false, mode, isDocument, suggestions }, chosen.files)
      onEnd()
    },
  })
  // Each of several files would delete the records of the one before.
  const canReplace = source.record_count > 0 && chosen.files.length === 1
  return (
    <UploadReview
      chosen={chosen}
      sourceId={sourceId}
      onCancel={onEnd}
      onUpload={start.mutate}
      isBusy={start.isPending}
      uploadError={start.error && <ErrorMessage error={start.error} />}
      renderFields={(_, isFormatChanged) => (
        <Stack>
          {isFormatChanged && (
            <Callout>
              Files of this source are read in the corrected way from now on. Records that are stored already do not
              change.
            </Callout>
          )}
          {canReplace && (
            <Checkbox
              label="Replace all records"
              hint="Records that the file does not contain are deleted."
              checked={isFull}
              onChange={(event) => setFull(event.target.checked)}
            />
          )}
        </Stack>
      )}
    />
  )
}
