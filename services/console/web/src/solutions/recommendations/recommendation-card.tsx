import { Link } from '@tanstack/react-router'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Badge, StatusBadge } from '../../ui/data/badge.tsx'
import { Time } from '../../ui/data/time.tsx'
import { formatPercent } from '../../ui/format/format.ts'
import { withoutDirections } from '../../ui/format/isolate.ts'
import { describeWindow } from './describe-window.ts'
import { FigureBars } from './figure-bars.tsx'
import { kindName, type Recommendation } from './read-figures.ts'
import styles from './recommendations.module.css'
import type { Decision } from './use-decisions.ts'

/** A recommendation: what to do, why, and the figures behind it. */
export function RecommendationCard({
  recommendation,
  isSelected,
  onSelect,
  onDecide,
}: {
  recommendation: Recommendation
  isSelected: boolean
  onSelect: () => void
  onDecide: (decision: Decision) => void
}) {
  const { kind, status, rationale, expected_effect: effect, follow_up: followUp } = recommendation
  const title = withoutDirections(recommendation.title)
  const canDecide = useCan()('solutions:run') && status === 'open'
  return (
    <article className={styles.card} data-selected={isSelected} aria-label={title}>
      {canDecide ? (
        <input type="checkbox" aria-label={`Select: ${title}`} checked={isSelected} onChange={onSelect} />
      ) : (
        <span />
      )}
      <div className={styles.text}>
        <div className={styles.badges}>
          <Badge tone={kind === 'capacity_alert' ? 'warning' : 'neutral'}>{kindName(kind)}</Badge>
          {status !== 'open' && <StatusBadge status={status} />}
          {followUp && <Badge tone={followUpTone[followUp.status]}>{followUpText[followUp.status]}</Badge>}
        </div>
        <h2>{title}</h2>
        <p className={styles.rationale}>{withoutDirections(rationale)}</p>
        {effect && <p>{withoutDirections(effect.description)}</p>}
        <Facts recommendation={recommendation} />
        {canDecide && (
          <div className={styles.actions}>
            <Button size="small" variant="primary" onClick={() => onDecide('accepted')}>
              Accept
            </Button>
            <Button size="small" onClick={() => onDecide('dismissed')}>
              Dismiss
            </Button>
          </div>
        )}
      </div>
      <FigureBars recommendation={recommendation} />
    </article>
  )
}

const followUpText = {
  pending: 'waiting for later values',
  happened: 'it happened',
  did_not_happen: 'it did not happen',
  unknown: 'no values to check',
} as const
const followUpTone = { pending: 'running', happened: 'success', did_not_happen: 'warning', unknown: 'neutral' } as const

function Facts({ recommendation }: { recommendation: Recommendation }) {
  const workspaceId = useWorkspaceId()
  const { confidence, window, created_at: createdAt, last_forecast_run_id: runId } = recommendation
  return (
    <div className={styles.facts}>
      {confidence !== null && <span>Confidence {formatPercent(confidence)}</span>}
      {window && <span>{describeWindow(window)}</span>}
      <span>
        Made <Time value={createdAt} />
      </span>
      <Link to="/$workspaceId/forecasts/$runId" params={{ workspaceId, runId }} search={{}}>
        Open the forecast
      </Link>
    </div>
  )
}
