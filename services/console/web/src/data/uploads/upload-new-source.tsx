import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLeadOn } from '../../routing/use-lead-on.ts'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { replaceFilesToReview } from '../../shell/files-to-review-notice.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { FormActions } from '../../ui/form/field.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import { refusedMapping } from '../../workplace/datasets/dataset-words.ts'
import { meaningOf } from '../../workplace/datasets/mapping-fields.tsx'
import { nameFromFile, type UploadOptions } from './file-types.ts'
import { ContinuedData, FileUse, nextStepsOf } from './file-use.tsx'
import { forecastSearch } from './forecast-search.ts'
import type { ChosenFiles } from './review/preview/preview-values.ts'
import type { AcceptedReading } from './review/review-props.ts'
import { UploadReview } from './review/upload-review.tsx'
import { useFocusOnChange } from './review/use-focus-on-change.ts'
import { choiceOf, isProtected, newSourceOf, type SourceDraft, SourceFields } from './source-draft.tsx'
import { UploadList, useSourceUploads } from './upload-list.tsx'
import { UploadStatus } from './upload-status.tsx'
import { dismissUpload, hasStoredNothing, isActive, startUploads, type Upload } from './uploads.ts'

/**
 * Reviews chosen files, creates an upload source with the accepted format, and uploads the files to it. The source is
 * created with the upload and deleted if that stores nothing, so that no empty source is left.
 */
export function UploadNewSource({ chosen, onCancel }: { chosen: ChosenFiles; onCancel: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const leadOn = useLeadOn()
  const fallbackName = nameFromFile(chosen.files[0].name)
  const can = useCan()
  const [draft, setDraft] = useState<SourceDraft>({ name: fallbackName, key: '' })
  const [accepted, setAccepted] = useState<AcceptedReading>()
  const [sourceId, setSourceId] = useState<string>()
  const list = useSourceUploads(workspaceId, sourceId)
  const phase = phaseOf(list)
  const create = useMutation({
    mutationFn: (reading: AcceptedReading) =>
      api.data.createSource({ body: newSourceOf(draft, fallbackName, reading) }),
    onSuccess: ({ data_source_id: created }, reading) => {
      const { isDocument, suggestions, files, later } = reading
      setAccepted(reading)
      count.reset()
      for (const { id } of list) dismissUpload(id)
      setSourceId(created)
      replaceFilesToReview(workspaceId, chosen.files, later)
      startUploads(
        { workspaceId, sourceId: created, isNewSource: true, mode: 'incremental', isDocument, suggestions },
        files,
      )
    },
  })
  // What the file changes there, and the format with which it is read, are known on the page of that source.
  const join = (known: string, mode: UploadOptions['mode']) => {
    replaceFilesToReview(workspaceId, chosen.files, chosen.files, { id: known, mode })
    void navigate({ to: '/$workspaceId/data/$sourceId', params: { workspaceId, sourceId: known } })
  }
  const choice = choiceOf(draft, accepted?.suggestions)
  const count = useMutation({
    mutationFn: async (source: string) => {
      const { kind } = choice
      if (kind === undefined) throw new Error('a file is counted once its kind is known')
      const name = draft.name.trim() || fallbackName
      const body = { name, kind, data_source_id: source, ...meaningOf(choice) }
      const { id } = await api.solutions.createDataset({ body }).catch(async (error: unknown) => {
        const refused = refusedMapping(error, kind)
        if (refused === undefined) throw error
        // Otherwise the next attempt with the same file would leave a second source.
        const isDeleted = await api.data.deleteSource({ params: { data_source_id: source } }).then(
          () => true,
          () => false,
        )
        if (isDeleted) {
          for (const upload of list) dismissUpload(upload.id)
          setSourceId(undefined)
        }
        throw refused
      })
      const params = { workspaceId, datasetId: id }
      await leadOn({ to: '/$workspaceId/datasets/$datasetId', params, search: { next: 'show' } })
    },
  })
  const goOn = useEffectEvent((source: string) => {
    const search = forecastSearch(source, accepted?.suggestions, choice.kind)
    if (accepted?.next !== undefined && accepted.next !== 'forecast') count.mutate(source)
    else if (accepted?.next === 'forecast' && search !== undefined)
      void navigate({ to: '/$workspaceId/forecasts/new', params: { workspaceId }, search })
    else void navigate({ to: '/$workspaceId/data/$sourceId', params: { workspaceId, sourceId: source } })
  })
  useEffect(() => {
    if (phase === 'stored' && sourceId !== undefined) goOn(sourceId)
  }, [phase, sourceId])
  const heading = useFocusOnChange(phase === 'uploading')
  const failure = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (phase === 'nothing stored') failure.current?.focus()
  }, [phase])
  const isUploading = phase === 'uploading' || phase === 'partly stored' || phase === 'stored'
  return (
    <>
      {isUploading && (
        <Card title="Upload" headingRef={heading}>
          <Stack>
            <UploadList list={list} recordCount={undefined} />
            {phase === 'partly stored' && (
              <FormActions>
                <Button
                  onClick={() => {
                    for (const { id, state } of list) if (state === 'failed') dismissUpload(id)
                  }}
                >
                  Go on without the files that were not stored
                </Button>
              </FormActions>
            )}
            {count.isPending && <p role="status">The rows are stored. Next, people are counted by place and day.</p>}
            {count.error && sourceId !== undefined && (
              <>
                <ErrorMessage error={count.error} />
                <FormActions>
                  <ButtonLink to="/$workspaceId/datasets/new" search={{ source: sourceId }}>
                    Choose the columns again
                  </ButtonLink>
                </FormActions>
              </>
            )}
          </Stack>
        </Card>
      )}
      <div hidden={isUploading}>
        <UploadReview
          chosen={chosen}
          onCancel={onCancel}
          onUpload={create.mutate}
          isBusy={create.isPending}
          renderUse={(preview, headingRef) => (
            <>
              <ContinuedData preview={preview} onJoin={join} />
              <FileUse
                headingRef={headingRef}
                preview={preview}
                choice={choiceOf(draft, preview.suggestions)}
                onChoose={(choice) => setDraft({ ...draft, choice })}
                isProtected={isProtected(draft, preview.suggestions)}
                onProtect={(protects) => setDraft({ ...draft, protects })}
              />
            </>
          )}
          nextSteps={(preview) =>
            nextStepsOf(preview, choiceOf(draft, preview.suggestions)).filter((step) =>
              can(step === 'forecast' ? 'solutions:run' : 'solutions:write'),
            )
          }
          renderFields={(columns) => <SourceFields columns={columns} draft={draft} onChange={setDraft} />}
          uploadError={
            <div ref={failure} tabIndex={-1}>
              {(create.error ?? count.error) && <ErrorMessage error={create.error ?? count.error} />}
              {phase === 'nothing stored' && list.map((upload) => <UploadStatus key={upload.id} upload={upload} />)}
            </div>
          }
        />
      </div>
    </>
  )
}

/** Returns where the uploads of a new source stand. A source in which nothing was stored is deleted before the end. */
function phaseOf(list: readonly Upload[]): 'review' | 'uploading' | 'partly stored' | 'stored' | 'nothing stored' {
  if (list.length === 0) return 'review'
  if (list.every(({ removal }) => removal !== undefined)) return 'nothing stored'
  const hasEnded = list.every((upload) => !isActive(upload) && upload.state !== 'interrupted')
  if (!hasEnded || list.every(hasStoredNothing)) return 'uploading'
  return list.some(({ state }) => state === 'failed') ? 'partly stored' : 'stored'
}
