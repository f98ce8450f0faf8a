import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NewSource } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { MissingScopeNotice } from '../session/missing-scope-notice.tsx'
import { useWorkspace } from '../session/workspace-context.tsx'
import { filesToReviewIn, replaceFilesToReview } from '../shell/files-to-review-notice.tsx'
import { Icon } from '../ui/button/button.tsx'
import { ButtonLink, Link } from '../ui/button/button-link.tsx'
import { Card, Page, Stack } from '../ui/page/page.tsx'
import { validateBody } from '../ui/schema-form/body-errors.ts'
import { DraftForm } from '../ui/schema-form/draft-form.tsx'
import styles from './shared/data.module.css'
import { providerWords, type SourceProvider } from './shared/source-words.ts'
import { type SourceDraft, SourceFields } from './source-form.tsx'
import { FileDrop } from './uploads/file-drop.tsx'
import type { ChosenFiles } from './uploads/review/preview/preview-values.ts'
import { UploadNewSource } from './uploads/upload-new-source.tsx'

const route = getRouteApi('/$workspaceId/data/new')

/** Adds a source: a file to upload, or another provider with its settings. */
export function NewSourcePage() {
  const { provider } = route.useSearch()
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(() => chooseFilesToReview(workspaceId))
  const cancel = ([first]: ChosenFiles['files']) => {
    setChosen(undefined)
    // The notice there leads on to the next of them.
    if (replaceFilesToReview(workspaceId, [first], []).length > 0)
      void navigate({ to: '/$workspaceId/data', params: { workspaceId } })
  }
  if (provider !== undefined) return <ProviderForm key={provider} provider={provider} />
  return (
    <Page
      title="Add data"
      description={
        chosen === undefined
          ? 'Drop a file to see how it will be read, or connect a source that is read on a schedule.'
          : 'Check how the file is read, then go on.'
      }
      parent={{ label: 'Data', link: { to: '/$workspaceId/data' } }}
      isNarrow={chosen === undefined}
    >
      <MissingScopeNotice action="add data" scope="data:write" />
      {chosen === undefined ? (
        <>
          <Card title="Upload a file" description="You see how it is read before anything is stored.">
            <FileDrop onChoose={(files) => setChosen(smallestFirst(files))} />
          </Card>
          <ProviderChoice />
        </>
      ) : (
        <UploadNewSource key={chosen.id} chosen={chosen} onCancel={() => cancel(chosen.files)} />
      )}
    </Page>
  )
}

/** Returns the files that a person chose with one that has other columns; undefined if there are none. */
function chooseFilesToReview(workspaceId: string): ChosenFiles | undefined {
  const [first, ...others] = filesToReviewIn(workspaceId)
  return first && { id: crypto.randomUUID(), files: [first, ...others], isDocument: false }
}

/** Lists of places and teams come before the events that name them, and are smaller. */
function smallestFirst({ files, ...chosen }: ChosenFiles): ChosenFiles {
  const [first = files[0], ...others] = files.toSorted((one, other) => one.size - other.size)
  return { ...chosen, files: [first, ...others] }
}

const emptyDraft: SourceDraft = {
  name: '',
  integration_id: null,
  config: {},
  sync_mode: 'incremental',
  embed: false,
  schedule: { type: 'manual' },
}

function ProviderForm({ provider }: { provider: SourceProvider }) {
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(emptyDraft)
  const create = async (body: z.infer<typeof NewSource>) => {
    const { data_source_id: sourceId } = await api.data.createSource({ body })
    await refresh('data')
    await navigate({ to: '/$workspaceId/data/$sourceId', params: { workspaceId, sourceId } })
  }
  return (
    <Page
      title={provider === 'upload' ? 'New upload source' : `New source: ${providerWords[provider].label}`}
      description={providerWords[provider].description}
      parent={{ label: 'Add data', link: { to: '/$workspaceId/data/new' } }}
      isNarrow
    >
      <DraftForm
        validate={() => validateBody(NewSource, { ...draft, provider })}
        send={create}
        submitLabel="Create source"
        actions={<ButtonLink to="/$workspaceId/data">Cancel</ButtonLink>}
      >
        {(errors) => <SourceFields provider={provider} draft={draft} onChange={setDraft} errors={errors} />}
      </DraftForm>
    </Page>
  )
}

const connected = ['http', 'postgres', 's3'] as const

/** The providers that the platform reads on a schedule. */
function ProviderChoice() {
  return (
    <Stack>
      <h2>Or connect a source</h2>
      <div className={styles.providers}>
        {connected.map((provider) => {
          const { label, description, icon } = providerWords[provider]
          return (
            <Link key={provider} to="/$workspaceId/data/new" search={{ provider }} className="choice-card">
              <Icon name={icon} size={20} />
              <strong>{label}</strong>
              <span>{description}</span>
            </Link>
          )
        })}
      </div>
      <p>
        Uploading by the API, with field names of your own?{' '}
        <Link to="/$workspaceId/data/new" search={{ provider: 'upload' }}>
          Create an empty upload source
        </Link>
      </p>
    </Stack>
  )
}
