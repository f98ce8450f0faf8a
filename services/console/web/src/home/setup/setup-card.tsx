import type { LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { SampleOffer } from '../../sample/sample-card.tsx'
import { isSample } from '../../sample/sample-names.ts'
import { useApiQuery, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button, classNames, Icon, type IconName } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Card } from '../../ui/page/page.tsx'
import styles from '../home.module.css'
import { useNewestDatasets, type WorkspaceState } from '../workspace-state.ts'
import { type Purpose, readPurpose, type SetupFacts, setupSteps, storePurpose } from './setup.ts'

/**
 * Asks what a new workspace is for, then shows the three steps of the answer, which tick themselves, until all are
 * done.
 */
export function SetupCard({ isNew, state }: { isNew: boolean; state: WorkspaceState }) {
  const workspaceId = useWorkspaceId()
  const can = useCan()
  const [purpose, setPurpose] = useState(() => readPurpose(workspaceId))
  const { facts, isReading } = useSetupFacts(state, purpose)
  const choose = (next: Purpose | undefined) => {
    storePurpose(workspaceId, next)
    setPurpose(next)
  }
  if (purpose === undefined) return isNew ? <FirstQuestion onAnswer={choose} /> : null
  const steps = setupSteps[purpose].filter(({ scope }) => can(scope))
  if (steps.length === 0 || steps.every(({ key }) => facts[key])) return null
  return (
    <>
      <StepsCard purpose={purpose} facts={facts} isReading={isReading} onAskAgain={() => choose(undefined)} />
      {isNew && purpose === 'buildings' && <SampleOffer />}
    </>
  )
}

const answers: readonly (readonly [purpose: Purpose, icon: IconName, title: string, text: string])[] = [
  [
    'buildings',
    'building',
    'Plan my buildings',
    'You have a file of badge events, bookings or counts, and want to know how full you are, and which floor can close.',
  ],
  [
    'api',
    'key',
    'Integrate by API',
    'You write a program that sends data, asks for forecasts, and is told of events by webhooks.',
  ],
]

const FirstQuestion = ({ onAnswer }: { onAnswer: (purpose: Purpose) => void }) => (
  <>
    <Card title="What do you want to do?" description="You can do both. This only chooses where to begin.">
      <div className={styles.answers}>
        {answers.map(([purpose, icon, title, text]) => (
          <button
            key={purpose}
            type="button"
            className={`choice-button ${styles.answer}`}
            onClick={() => onAnswer(purpose)}
          >
            <Icon name={icon} size={22} />
            <strong>{title}</strong>
            <span>{text}</span>
          </button>
        ))}
      </div>
    </Card>
    <SampleOffer />
  </>
)

const titles = { buildings: 'Plan your buildings', api: 'Integrate by API' } as const

function StepsCard({
  purpose,
  facts,
  isReading,
  onAskAgain,
}: {
  purpose: Purpose
  facts: SetupFacts
  isReading: boolean
  onAskAgain: () => void
}) {
  const can = useCan()
  const steps = setupSteps[purpose].filter(({ scope }) => can(scope))
  const next = steps.find(({ key }) => facts[key] === false)
  return (
    <Card
      title={titles[purpose]}
      description="Three steps. Each ticks itself as soon as its result exists."
      actions={
        <Button size="small" variant="quiet" onClick={onAskAgain}>
          Choose again
        </Button>
      }
      isFlush
    >
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step.key} className={classNames(styles.step, facts[step.key] && styles.done)}>
            <span className={styles.mark} aria-hidden="true">
              {facts[step.key] ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <div>
              <h3>
                {step.title}
                {facts[step.key] && <span className="visually-hidden"> (done)</span>}
              </h3>
              <p>{step.description}</p>
            </div>
            {facts[step.key] === undefined && !isReading && <span className="muted small">Not known yet</span>}
            {facts[step.key] === false && <StepLink action={step.action} path={step.path} isNext={step === next} />}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function StepLink({ action, path, isNext }: { action: string; path: string; isNext: boolean }) {
  const [page, search] = path.split('?')
  const link = {
    to: `/$workspaceId/${page}` as string,
    search: Object.fromEntries(new URLSearchParams(search)),
  } as LinkProps // the steps are data; a test opens these pages
  return (
    <ButtonLink {...link} size="small" {...(isNext && { variant: 'primary' })}>
      {action}
    </ButtonLink>
  )
}

/** Reads what the steps of a purpose need to know. What the sample has made does not count. */
function useSetupFacts({ sources, runs, webhooks }: WorkspaceState, purpose: Purpose | undefined) {
  const can = useCan()
  const isApi = purpose === 'api'
  const datasets = useNewestDatasets(purpose === 'buildings')
  const keys = useApiQuery(
    ['developer', 'keys', 'home'],
    (api, options) => api.auth.listApiKeys({ query: { limit: 20 } }, options),
    { enabled: isApi && can('auth:keys') },
  )
  const principals = useApiQuery(
    ['developer', 'principals', 'home'],
    (api, options) => api.auth.listServicePrincipals({ query: { limit: 20 } }, options),
    { enabled: isApi && can('auth:admin') },
  )
  const credentials = keys.data && [...keys.data.items, ...(principals.data?.items ?? [])]
  const facts: SetupFacts = {
    hasFile: sources.data?.items.some((source) => source.record_count > 0 && !isSample(source)),
    hasCounts: datasets.data?.items.some((dataset) => dataset.rows.used > 0 && !isSample(dataset)),
    hasForecast: runs.data?.items.some((run) => !isSample(run)),
    hasKey: credentials && credentials.length > 0,
    hasCall: credentials?.some(({ last_used_at }) => last_used_at !== null),
    hasWebhook: webhooks.data && webhooks.data.items.length > 0,
  }
  return { facts, isReading: [sources, runs, webhooks, datasets, keys, principals].some(({ isLoading }) => isLoading) }
}
