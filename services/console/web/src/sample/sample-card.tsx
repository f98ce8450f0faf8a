import { useQueryClient } from '@tanstack/react-query'
import { useStore } from '../api/session-state.ts'
import { useApiQuery, useCan, useWorkspace, useWorkspaceId } from '../session/workspace-context.tsx'
import { Button, Icon } from '../ui/button/button.tsx'
import { ErrorMessage } from '../ui/message/message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Progress } from '../ui/values/progress.tsx'
import styles from './sample.module.css'
import { isComplete, isSample } from './sample-names.ts'
import { runOnSample, sampleProgress } from './sample-progress.ts'

/** Offers the sample building to a workspace without data. */
export function SampleOffer() {
  const progress = useProgress()
  const { load } = useSampleWork()
  if (!useMayLoad()) return null
  if (progress) return <SampleBar />
  return (
    <section className={styles.sample} aria-label="Sample building">
      <Icon name="building" />
      <p>
        <strong>No file at hand?</strong> Look around in a sample building: four floors, eight teams and half a year of
        badge events. It fills every page in a minute or two, and one click removes it.
      </p>
      <Button onClick={() => void load()}>Load the sample building</Button>
    </section>
  )
}

/**
 * Shown while the workspace has the sample building, or a part of it. It is removed without a question:
 * it can be loaded again.
 */
export function SampleCard() {
  const progress = useProgress()
  const mayLoad = useMayLoad()
  const { load, remove } = useSampleWork()
  const { data } = useApiQuery(['spaces', 'home'], (api, options) =>
    api.solutions.listSpaces({ query: { kind: 'site', limit: 100 } }, options),
  )
  const site = data?.items.find(isSample)
  if (progress) return <SampleBar />
  return (
    <section className={styles.sample} aria-label="Sample building">
      <Icon name="info" />
      <p>
        <strong>
          {site && isComplete(site) ? 'You see a sample building.' : 'The sample building is not complete.'}
        </strong>{' '}
        Everything marked “sample” is made up. Your own files can be added beside it.
      </p>
      {mayLoad && (
        <span className="row-2">
          {site && !isComplete(site) && <Button onClick={() => void load()}>Continue</Button>}
          <Button onClick={() => void remove()}>Remove the sample</Button>
        </span>
      )}
    </section>
  )
}

/** The progress of loading or removing, or the error with which it stopped. */
function SampleBar() {
  const progress = useProgress()
  const { load, remove } = useSampleWork()
  if (!progress) return null
  const { kind, step, share, error } = progress
  return (
    <section className={styles.progress} aria-label="Sample building" aria-live="polite">
      <Progress
        label={kind === 'loading' ? 'Loading the sample building' : 'Removing the sample building'}
        value={share}
        text={step}
      />
      {error !== undefined && (
        <>
          <ErrorMessage error={error} onRetry={() => void (kind === 'loading' ? load() : remove())} />
          {kind === 'loading' && <Button onClick={() => void remove()}>Remove what was loaded</Button>}
        </>
      )}
    </section>
  )
}

function useProgress() {
  const workspaceId = useWorkspaceId()
  const progress = useStore(sampleProgress)
  return progress?.workspaceId === workspaceId ? progress : undefined
}

function useMayLoad(): boolean {
  const can = useCan()
  return can('data:write') && can('solutions:write') && can('solutions:run')
}

/** Loads and removes the sample building. Their code is loaded when it is needed. */
function useSampleWork() {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId] })
  return {
    load: async () => {
      const isDone = await runOnSample(workspaceId, 'loading', async (report) => {
        const { loadSample } = await import('./load-sample.ts')
        await loadSample(api, report)
        await refresh()
      })
      if (isDone) showSuccess('The sample building is ready')
    },
    remove: async () => {
      const isDone = await runOnSample(workspaceId, 'removing', async (report) => {
        const { removeSample } = await import('./remove-sample.ts')
        await removeSample(api, report)
        await refresh()
      })
      if (isDone) showSuccess('Removed the sample building')
    },
  }
}
