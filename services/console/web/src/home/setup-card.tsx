import { useWorkspaceId } from '../session/workspace-context.tsx'
import { classNames, Icon } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Card } from '../ui/page/page.tsx'
import styles from './checklist.module.css'
import type { SetupStep } from './setup-checklist.ts'

/** The steps of the set-up, until all are done. */
export function SetupCard({ steps }: { steps: readonly SetupStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Card
      title="Set up this workspace"
      description={`${done} of ${steps.length} steps are done. Each ticks itself as soon as its result exists.`}
      isFlush
    >
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step.key} className={classNames(styles.step, step.isDone && styles.done)}>
            <span className={styles.mark} aria-hidden="true">
              {step.isDone ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <div>
              <h3>
                {step.title}
                {step.isDone && <span className="visually-hidden"> (done)</span>}
              </h3>
              {!step.isDone && <p>{step.description}</p>}
            </div>
            {!step.isDone && <StepLink step={step.key} isNext={steps.find(({ isDone }) => !isDone) === step} />}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function StepLink({ step, isNext }: { step: SetupStep['key']; isNext: boolean }) {
  const params = { workspaceId: useWorkspaceId() }
  const look = isNext ? ({ variant: 'primary', size: 'small' } as const) : ({ size: 'small' } as const)
  if (step === 'data')
    return (
      <ButtonLink {...look} to="/$workspaceId/data/new" params={params}>
        Upload a file
      </ButtonLink>
    )
  if (step === 'credential')
    return (
      <ButtonLink {...look} to="/$workspaceId/developer/keys" params={params}>
        Create a key
      </ButtonLink>
    )
  if (step === 'webhook')
    return (
      <ButtonLink {...look} to="/$workspaceId/webhooks/new" params={params}>
        Add a webhook
      </ButtonLink>
    )
  return (
    <ButtonLink {...look} to="/$workspaceId/forecasts/new" params={params}>
      Start a forecast
    </ButtonLink>
  )
}
